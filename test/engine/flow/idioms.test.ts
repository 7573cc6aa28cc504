/** Idioms that decide between a finding and a false alarm: own validators, globals, aliases, pointers, fields, early exits. */
import { describe, expect, it } from 'vitest'
import type { Language } from '../../../subgraphs/compliance/engine/languages.js'
import { reachedLines } from './kit.js'

const idioms: readonly (readonly [string, Language, string])[] = [
  [
    'a method that is named like the constructor of a collection',
    'python',
    "def f():\n    form = source()\n    sink(form.dict()['a']) # BAD\n    sink(form.list()) # BAD\n    sink(dict())",
  ],
  [
    'a validator of the file that returns a test',
    'javascript',
    'const ok = (v) => /^[a-z]+$/.test(v)\nfunction f() { const a = source(); if (!ok(a)) return; sink(a) }\nfunction g() { const a = source(); ok(a); sink(a) } // BAD',
  ],
  [
    'a collaborator in a property of the constructor',
    'typescript',
    'class Store { run(v: string) { sink(v) } } // BAD\nclass Other { run(v: string) { return v } }\nclass C { constructor(@Tag() private readonly store: Store, readonly other: Other) {}\n run() { this.store.run(source())\n this.other.run(source()) } }',
  ],
  [
    'a collaborator assigned in the constructor',
    'typescript',
    'class Store { run(v: string) { sink(v) } } // BAD\nclass Other { run(v: string) { return v } }\nclass C { private readonly store\n constructor(store: Store, other: Other) { this.store = store; this.other = other }\n run() { this.store.run(source())\n this.other.run(source()) } }',
  ],
  [
    'a collaborator that is injected into a field',
    'typescript',
    'class Store { run(v: string) { sink(v) } } // BAD\nclass Other { run(v: string) { return v } }\nclass C { private readonly store = inject(Store)\n private other = inject(Other)\n run() { this.store.run(source())\n this.other.run(source()) } }',
  ],
  [
    'a collaborator behind an interface that one class of the file implements',
    'typescript',
    'interface Port { send(v: string): void }\nclass Adapter implements Port { send(v: string) { sink(v) } } // BAD\nclass Other { send(v: string) { return v } }\nclass C { constructor(private readonly port: Port, private readonly other: Unknown) {}\n run() { this.port.send(source())\n this.other.send(source()) } }',
  ],
  [
    'data in a property of the constructor',
    'typescript',
    'class Job { constructor(private readonly name: string, size: string) {}\n run() { sink(this.name) // BAD\n sink(this.size) } }\nnew Job(source(), source()).run()',
  ],
  [
    'fields that decorators validate',
    'typescript',
    'class Dto { @IsOptional() @IsIn(["a", "b"]) sort?: string\n @Matches(/^[a-z]+$/) code: string\n @Matches(/^http/) link: string\n @IsString() text: string }\nfunction f() { const d: Dto = source(); sink(d.sort, d.code)\n const { sort, code = "a" } = d; sink(sort, code)\n sink(d.link) // BAD\n sink(d.text) } // BAD',
  ],
  [
    'what stands in front of the data in joined text',
    'javascript',
    'const named = (v) => "x = " + v\nfunction f() { const a = source(); bare_sink(`x = ${a}`) // BAD\n bare_sink(named(a)) // BAD\n bare_sink(`x = "${a}"`)\n bare_sink("x " + a)\n bare_sink(a) }',
  ],
  [
    'what stands in front of the data in a template',
    'python',
    'def f():\n    a = source()\n    bare_sink("k %s = %s" % (1, a)) # BAD\n    bare_sink("x = \'%s\'" % a)\n    bare_sink("x = %s, y: %s" % (1, a))',
  ],
  [
    'what stands in front of the data in a format of Go',
    'go',
    'package a\nfunc f() { a := source(); bare_sink(fmt.Sprintf("x = %s", a)) // BAD\n bare_sink(fmt.Sprintf("x = \'%s\'", a)) }',
  ],
  ['a variable that names what is called', 'php', '<?php\n$a = source();\n$o->$a(); // BAD\n$o->b($a);\n$c = new $a(); // BAD'],
  [
    'a validator of the file that throws',
    'python',
    'def check(v):\n    if not v.isdigit():\n        raise ValueError(v)\ndef f():\n    a = source()\n    check(a)\n    sink(a)\ndef g():\n    a = source()\n    sink(a) # BAD\n    check(a)',
  ],
  [
    'a validator with true and false ways out',
    'java',
    'class A { boolean ok(String v) { if (v == null) { return false; } for (char c : x) { } return v.matches("[a-z]+"); }\n void f() { String a = source(); if (ok(a)) { sink(a); } }\n void g() { String a = source(); if (!ok(a)) { sink(a); } } } // BAD',
  ],
  [
    'a function that only looks at its parameter validates nothing',
    'javascript',
    'function log(v) { console.log(v.length) }\nfunction f() { const a = source(); log(a); sink(a) } // BAD',
  ],
  [
    'a sanitizer inside of a function does not clean the caller',
    'python',
    'def esc(v):\n    v = clean(v)\n    return v\ndef f():\n    a = source()\n    b = esc(a)\n    sink(b)\n    sink(a) # BAD',
  ],
  [
    'globals between functions',
    'c',
    'static char *data;\nvoid set(void) { data = source(); }\nvoid use(void) { sink(data); } // BAD\n',
  ],
  [
    'globals that change are not constants',
    'c',
    'static int flag = 0;\nvoid use(char *d) { if (flag) { sink(source()); } } // BAD\nvoid set(void) { flag = 1; }',
  ],
  ['globals that never change are constants', 'c', 'static int flag = 0;\nvoid use(char *d) { if (flag) { sink(source()); } }'],
  [
    'pointer arithmetic in an out parameter',
    'c',
    'void f(void) { char b[10] = ""; fill(b + 2); sink(b); } // BAD\nvoid g(void) { char b[10] = ""; fill(&b[1]); sink(b); } // BAD',
  ],
  [
    'function pointers',
    'c',
    'static void bad(char *d) { sink(d); } // BAD\nvoid f(void) { void (*p)(char *) = bad; p(source()); }',
  ],
  [
    'virtual methods',
    'cpp',
    'class B { public: virtual void run(char *d) {} };\nclass D : public B { public: void run(char *d) { sink(d); } }; // BAD\nvoid f() { B *b = new D; b->run(source()); }',
  ],
  [
    'a field that is never true',
    'java',
    'class A { private boolean debug = false;\n void f() { if (debug) { sink(source()); } } }',
  ],
  [
    'a field that a setter changes',
    'java',
    'class A { private boolean debug = false; void on() { debug = true; }\n void f() { if (debug) { sink(source()); } } } // BAD',
  ],
  ['a builder', 'java', 'class A { void f() { String s = new Query().table("x").where(source()).build(); sink(s); } } // BAD'],
  ['an alias of a sanitizer', 'javascript', 'const c = clean\nsink(c(source()))'],
  ['a wrapper of a source', 'php', '<?php\nfunction input($k) { return source($k); }\n$a = input("x");\nsink($a); // BAD'],
  [
    'a wrapper of a source with a sanitizer',
    'php',
    '<?php\nfunction input($k) { return clean(source($k)); }\n$a = input("x");\nsink($a);',
  ],
  [
    'an early exit in a switch',
    'javascript',
    "function f(k) { const a = source(); switch (a) { case 'x': case 'y': break; default: return } sink(a) }",
  ],
  [
    'a lookup in a constant table',
    'python',
    "T = {'a': 1, 'b': 2}\ndef f():\n    sink(T[source()])\n    sink(T.get(source(), 0))",
  ],
  ['values of a nested object', 'javascript', "const o = { a: { b: source(), c: 'x' } }\nsink(o.a.b) // BAD\nsink(o.a.c)"],
  ['destructured parameters', 'javascript', 'function f({ a, b }) { sink(a) } // BAD\nf({ a: source(), b: 1 })'],
  [
    'promises',
    'javascript',
    'async function f() { const a = await load(source()); sink(a) } // BAD\nload(source()).then((v) => sink(v)) // BAD',
  ],
  [
    'recursion',
    'python',
    'def walk(n, v):\n    if n == 0:\n        sink(v) # BAD\n        return v\n    return walk(n - 1, v)\nwalk(3, source())',
  ],
  [
    'mutual recursion',
    'javascript',
    'function a(v, n) { return n ? b(v, n - 1) : v }\nfunction b(v, n) { return a(v, n) }\nsink(a(source(), 3)) // BAD',
  ],
  [
    'reassignment in a loop',
    'go',
    'package m\nfunc f() {\n a := "x"\n for i := 0; i < 3; i++ {\n  sink(a) // BAD\n  a = source()\n }\n}',
  ],
  ['a constant after a tainted one', 'ruby', "a = source()\na = 'x'\nsink(a)"],
  [
    'a function of the file that is named like one of a library',
    'javascript',
    'function sink(v) { return store(v) }\nfunction f() { sink(source()) }\nfunction g(sink) { sink(source()) } // BAD',
  ],
  [
    'a compiled pattern',
    'python',
    "import re\nword = re.compile('[a-z]+')\ndef f():\n    a = source()\n    if not word.fullmatch(a): return\n    sink(a)\ndef g():\n    a = source()\n    if not word.match(a): return\n    sink(a) # BAD",
  ],
  [
    'a round of a loop that is left out',
    'bash',
    'for x in $(source); do\n  [[ $x =~ ^[a-z]+$ ]] || continue\n  sink "$x"\ndone\nfor y in $(source); do\n  [[ $y =~ ^[a-z]+$ ]] || echo odd\n  sink "$y" # BAD\ndone',
  ],
  [
    'a case of a piece',
    'bash',
    'x=$(source)\ncase ${x%%=*} in\n  a|b) sink "${x#*=}" ;; # BAD\nesac\ncase $x in\n  a|b) sink "$x" ;;\nesac',
  ],
  [
    'a question to another part',
    'php',
    "<?php function f() { if (!isValid($SOURCE->get('token'))) { return; } sink($SOURCE->get('body')); } // BAD",
  ],
  ['a method called like a conversion', 'python', "def f(env):\n    sink(source() + env.str('a')) # BAD"],
  [
    'methods that a block defines',
    'ruby',
    'class A < Base\n  helpers do\n    def name\n      source()\n    end\n    def use(v)\n      sink(v) # BAD\n    end\n  end\n  get "/a" do\n    use(name)\n  end\nend',
  ],
  [
    'a collaborator that is made by default',
    'ruby',
    'class Store\n  def put_all(v)\n    sink(v) # BAD\n  end\nend\nclass A\n  def initialize(store: Store.new)\n    @store = store\n  end\n  def run\n    @store.put_all(source())\n  end\nend',
  ],
  [
    'a collaborator that is made by default',
    'javascript',
    'class Store { putAll(v) { sink(v) } } // BAD\nclass A { constructor(store = new Store()) { this.store = store }\n run() { this.store.putAll(source()) } }',
  ],
  [
    'inside of a nested function',
    'python',
    'def outer():\n    a = source()\n    def inner():\n        sink(a) # BAD\n    inner()',
  ],
  [
    'class methods',
    'python',
    'class A:\n    @staticmethod\n    def p(v):\n        return v\n    @classmethod\n    def q(cls, v):\n        sink(v) # BAD\nsink(A.p(source())) # BAD\nA.q(source())',
  ],
  [
    'static members of a class',
    'csharp',
    'class A { static string d;\n void Set() { d = source(); }\n void Use() { sink(d); } } // BAD',
  ],
  [
    'try and a constant in catch',
    'java',
    'class A { void f() { String a; try { a = source(); } catch (Exception e) { a = "x"; }\n sink(a); } } // BAD',
  ],
  [
    'text that is compared to a constant',
    'go',
    'package m\nfunc f() {\n a := source()\n if a != "x" && a != "y" {\n  return\n }\n sink(a)\n}',
  ],
]

describe('idioms', () => {
  it.each(idioms)('%s (%s)', async (_name, language, code) => {
    const expected = code.split('\n').flatMap((line, at) => (/\bBAD\b/.test(line) ? [at + 1] : []))
    expect([...new Set(await reachedLines(language, code))]).toEqual(expected)
  })
})
