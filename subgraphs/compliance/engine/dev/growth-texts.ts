/** Texts of any size that ask a lot of a parser or of the analysis: nestings, repetitions, and pieces that never end. */
import type { Language } from '../languages.js'

export interface GrowthText {
  readonly name: string
  /** A text of about this many characters. */
  textOf(size: number): string
}

/** An opening and a closing half around a middle. */
const nestings: readonly (readonly [string, string, string])[] = [
  ['(', '1', ')'],
  ['[', '1', ']'],
  ['{', 'a', '}'],
  ['f(', '', ')'],
  ['a[', '0', ']'],
  ['f(a,', 'b', ')'],
  ['a.b(', 'c', ')'],
  ['A<', 'B', '>'],
  ['{a:', '1', '}'],
  ['[a,', '1', ',b]'],
  ['if(a){', 'f()', '}'],
  ['while(a){', 'f()', '}'],
  ['function(){', 'f()', '}'],
  ['(a)=>{', 'f()', '}'],
  ['{ f(a) ', '', ' g(b) }'],
  ['a?', 'b', ':c'],
  ['(a,b)=>(', 'c', ')'],
  ['try{', 'f()', '}catch(e){}'],
  ['class A{', '', '}'],
  ['"${', 'a', '}"'],
  ['`${', 'a', '}`'],
  ['$(', 'ls', ')'],
  ['x=', '1', ''],
  ['!', 'a', ''],
  ['-', 'a', ''],
  ['&', 'a', ''],
  ['*', 'a', ''],
  ['a=>', 'b', ''],
]

/** Repeated side by side. */
const repetitions: readonly string[] = [
  '(',
  '[',
  '{',
  '<',
  '"',
  "'",
  '`',
  '/*',
  '<!--',
  '#',
  '@',
  '$',
  '${',
  '\\',
  '=>',
  '->',
  '::',
  '..',
  '|',
  '&',
  '*',
  '+',
  '-',
  '?',
  ':',
  ',',
  ';',
  '\n',
  ' ',
  '\t',
  ')',
  ']',
  '}',
  '>',
  '%',
  '^',
  '~',
  '!',
  '=',
  '<<',
  '<<EOF\n',
  '#if\n',
  '#define A \\\n',
  '"""',
  "'''",
  'a.',
  'a,',
  'a+',
  '"a"+',
  'a&&',
  'a||',
  'a??',
  '.f()',
  '?.a',
  'a<',
  'a<b>',
  'a:',
  'a ? ',
  'a=',
  'a = a + 1;\n',
  'f(x);\n',
  'x',
  '1',
  '/',
  '//',
  '-- ',
  '\u00e9',
  '😀',
  'case 1:',
  'else if(a){}',
  'if ',
  'for ',
  'while ',
  'class ',
  'def ',
  'fn ',
  'func ',
  'fun ',
  'function ',
  'let ',
  'var ',
  'val ',
  'const ',
  'struct ',
  'enum ',
  'try ',
  'return ',
  'new ',
  'import ',
  'select ',
  'begin ',
  'end ',
  'do\n',
  'then\n',
  'in ',
  'is ',
  'as ',
  'not ',
  'template<',
  'operator ',
  'public ',
  'static ',
  'async ',
  'await ',
  'yield ',
  'throw ',
  'if (a) x = b;\n',
  'if (a == 1) { b = c + a; } else { c = a; }\n',
  'a = b + "x";\n',
  'for (i = 0; i < n; i++) { a[i] = b[i]; }\n',
  'x = { a: x, b: [x, x] };\n',
  'a.b.c.d = e.f(g.h);\n',
  'password = "',
  'key: ',
  'query("select " + x);\n',
  'x => y, ',
  '"\\"',
  '$a.$b',
  'catch (e) {} ',
  '[1](',
  'a ? b : ',
  'f(x) { return g(x); }\n',
]

/** Numbered lines: many names, functions that call each other, variables that are made of each other. */
const numbered: Readonly<Record<Language, readonly ((at: number) => string)[]>> = {
  javascript: [
    (at) => `function f${at}(a) { return f${at + 1}(a + a${at}) }\n`,
    (at) => `v${at + 1} = v${at} + v${at >> 1};\n`,
    (at) => `if (c${at}) { x = y${at} } else { y = x }\n`,
  ],
  typescript: [
    (at) => `function f${at}(a: A${at}): B<C${at}> { return f${at + 1}(a) }\n`,
    (at) => `const v${at + 1}: T = v${at} as U<V>;\n`,
    (at) => `const s${at} = t.object({ a: t.string(), b: t.list({\ntype S${at} = T<typeof s${at}>;\n`,
  ],
  python: [
    (at) => `def f${at}(a):\n    return f${at + 1}(a)\n`,
    (at) => `v${at + 1} = v${at} + v${at >> 1}\n`,
    (at) => `${' '.repeat(at % 60)}if a:\n`,
  ],
  java: [
    (at) => `class A${at} { String f(String a) { return new A${at + 1}().f(a); } }\n`,
    (at) => `String v${at + 1} = v${at} + v${at >> 1};\n`,
  ],
  go: [(at) => `func f${at}(a string) string { return f${at + 1}(a) }\n`, (at) => `v${at + 1} := v${at} + v${at >> 1}\n`],
  csharp: [
    (at) => `class A${at} { string F(string a) { return new A${at + 1}().F(a); } }\n`,
    (at) => `var v${at + 1} = v${at} + v${at >> 1};\n`,
  ],
  php: [
    (at) => `<?php function f${at}($a) { return f${at + 1}($a); } ?>\n`,
    (at) => `<?php $v${at + 1} = $v${at} . $v${at >> 1}; ?>\n`,
  ],
  ruby: [(at) => `def f${at}(a)\n  f${at + 1}(a)\nend\n`, (at) => `v${at + 1} = v${at} + v${at >> 1}\n`],
  swift: [
    (at) => `func f${at}(a: String) -> String { return f${at + 1}(a: a) }\n`,
    (at) => `let v${at + 1} = v${at} + v${at >> 1}\n`,
  ],
  kotlin: [(at) => `fun f${at}(a: String): String { return f${at + 1}(a) }\n`, (at) => `val v${at + 1} = v${at} + v${at >> 1}\n`],
  rust: [(at) => `fn f${at}(a: &str) -> String { f${at + 1}(a) }\n`, (at) => `let v${at + 1} = v${at} + v${at >> 1};\n`],
  c: [
    (at) => `char *f${at}(char *a) { char b[10]; strcpy(b, a); return f${at + 1}(b); }\n`,
    (at) => `#define A${at} A${at + 1}\n`,
    // All on one line.
    (at) => `A(x${at}) b(y); `,
    (at) => `NORETURN void f${at}(int a);\n`,
    (at) => `int f${at}(int a) { free(p${at}); if (a) { return p${at}[a]; } p = malloc(a); return 0; }\n`,
  ],
  cpp: [
    (at) => `std::string f${at}(std::string a) { auto *b = new A${at}(a); delete b; return f${at + 1}(a); }\n`,
    (at) => `auto v${at + 1} = v${at} + v${at >> 1};\n`,
  ],
  scala: [(at) => `def f${at}(a: String): String = f${at + 1}(a)\n`, (at) => `val v${at + 1} = v${at} + v${at >> 1}\n`],
  bash: [
    (at) => `f${at}() { f${at + 1} "$1"; }\n`,
    (at) => `v${at + 1}="$v${at}$v${at >> 1}"\n`,
    (at) => `w${at}() { shift 2; w${at + 1} "$@"; }\n`,
    (at) => `if (( v${at} > v${at + 1} )); then v${at}=1; fi\n`,
  ],
  sql: [
    (at) => `CREATE FUNCTION f${at}(a text) RETURNS text AS $$ BEGIN RETURN f${at + 1}(a); END $$ LANGUAGE plpgsql;\n`,
    (at) => `SELECT a${at} FROM t WHERE b = '${at}' AND (c = 1 OR d IN (SELECT 1));\n`,
    (at) => `SELECT a, b || c${at} INTO x${at}, y FROM t; FETCH c INTO z${at}; SELECT @x = @x + value FROM f(`,
  ],
}

/** What a file of the language begins with, so that the rest is code. */
const opening = (language: Language): string => (language === 'php' ? '<?php ' : '')

export function growthTexts(language: Language): GrowthText[] {
  const begin = opening(language)
  return [
    ...nestings.map(([open, middle, close]) => ({
      name: `nested ${JSON.stringify(open + middle + close)}`,
      textOf: (size: number) => {
        const count = Math.floor(size / (open.length + close.length))
        return `${begin}${open.repeat(count)}${middle}${close.repeat(count)}`
      },
    })),
    ...repetitions.map((piece) => ({
      name: `repeated ${JSON.stringify(piece)}`,
      textOf: (size: number) => `${begin}${piece.repeat(Math.floor(size / piece.length))}`,
    })),
    ...numbered[language].map((lineOf) => ({
      name: `numbered ${JSON.stringify(lineOf(0)).slice(0, 24)}`,
      textOf: (size: number) => {
        let text = ''
        for (let at = 0; text.length < size; at++) text += lineOf(at)
        return text
      },
    })),
  ]
}
