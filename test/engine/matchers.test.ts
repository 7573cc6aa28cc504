/** Every matcher and constraint of the rule format does what the guide says. */
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { scanFile } from '../../subgraphs/compliance/engine/analyzer/scan-file.js'
import type { Language } from '../../subgraphs/compliance/engine/languages.js'
import { compileRulebook } from '../../subgraphs/compliance/engine/rulebook/compile.js'
import { wordPacks } from './flow/kit.js'
import { packSchema, ruleSchema } from '../../subgraphs/compliance/engine/rulebook/schema.js'

/** Whether a rule with this body (and this pack) fires on the code. */
async function fires(language: Language, body: string, code: string, pack = ''): Promise<boolean> {
  const rule = ruleSchema.parse({
    id: 'test-rule',
    title: 'A rule of a test',
    cwe: [20],
    category: 'test',
    severity: 'high',
    languages: [language],
    message: 'A message of enough length.',
    suggestion: 'Do something else.',
    examples: { bad: ['x'], good: ['x'] },
    ...(parse(body) as object),
  })
  const own = packSchema.parse({ pack: 'test', languages: [language], ...(pack === '' ? {} : (parse(pack) as object)) })
  const result = await scanFile(compileRulebook(language, [rule], [own, ...wordPacks]), code, language, 'main', {
    maxSteps: 300_000,
    timeoutMs: 5000,
  })
  return result.findings.length > 0
}

type Row = readonly [name: string, language: Language, body: string, bad: string, good: string, pack?: string]

const matchers: Row[] = [
  [
    'shell tokens, but not in text for another program',
    'bash',
    "match: { tokens: 'chmod 777' }",
    'bash <<EOF\nchmod 777 /srv\nEOF',
    "cat > README <<'EOF'\nchmod 777 /srv\nEOF",
  ],
  [
    'shell tokens behind a here-document',
    'bash',
    "match: { tokens: 'chmod 777' }",
    'cat > README <<-EOF\nx\n\tEOF\nchmod 777 /srv',
    'cat > README <<-EOF\nchmod 777 /srv\n\tEOF\nchmod 700 /srv',
  ],
  [
    'call by import',
    'python',
    'match: { call: os.system }',
    'from os import system as s\ns(x)',
    'from os import path as s\ns(x)',
  ],
  [
    'call through a variable',
    'javascript',
    'match: { call: child_process.exec }',
    "const cp = require('child_process'); const run = cp.exec; run(x)",
    "const cp = require('other'); cp.exec(x)",
  ],
  [
    'call by declared type',
    'java',
    "match: { call: '<Statement>.execute' }",
    'class A { void f(Statement s) { s.execute(q); } }',
    'class A { void f(Other s) { s.execute(q); } }',
  ],
  [
    'call by subtype of the file',
    'java',
    "match: { call: 'Base.run' }",
    'class D extends Base {} class A { void f(D d) { d.run(); } }',
    'class D {} class A { void f(D d) { d.run(); } }',
  ],
  [
    'call by returned type',
    'java',
    "match: { call: '<Statement>.execute' }",
    'class A { void f() { var s = c.createStatement(); s.execute(q); } }',
    'class A { void f() { var s = c.other(); s.execute(q); } }',
    "returns: [{ call: '*.createStatement', type: Statement }]",
  ],
  [
    'new',
    'go',
    'match: { new: tls.Config, args: { InsecureSkipVerify: { is: true } } }',
    'package m\nimport "crypto/tls"\nfunc f() { c := &tls.Config{InsecureSkipVerify: true}; use(c) }',
    'package m\nimport "crypto/tls"\nfunc f() { c := &tls.Config{InsecureSkipVerify: false}; use(c) }',
  ],
  [
    'new with initializer',
    'csharp',
    'match: { new: CookieOptions, args: { Secure: { not: { is: true } } } }',
    'class A { void F() { var o = new CookieOptions { HttpOnly = true }; } }',
    'class A { void F() { var o = new CookieOptions { Secure = true }; } }',
  ],
  [
    'read',
    'python',
    'match: { read: ssl.CERT_NONE }',
    'import ssl\nc.verify_mode = ssl.CERT_NONE',
    'import ssl\nc.verify_mode = ssl.CERT_REQUIRED',
  ],
  [
    'set with value',
    'csharp',
    "match: { set: '*.Secure', value: { is: false } }",
    'class A { void F() { cookie.Secure = false; } }',
    'class A { void F() { cookie.Secure = true; } }',
  ],
  ['set of a name', 'python', 'match: { set: DEBUG, value: { is: true } }', 'DEBUG = True', 'DEBUG = False'],
  [
    'declare',
    'java',
    "match: { declare: { name: '(?i)password$', value: { string: '.{8}' } } }",
    'class A { String dbPassword = "abcdefgh1"; }',
    'class A { String dbPassword = load(); }',
  ],
  [
    'decorator with arguments',
    'java',
    "match: { decorator: CrossOrigin, args: { origins: { is: '*' } } }",
    '@CrossOrigin(origins = "*") class A { }',
    '@CrossOrigin(origins = "https://a.dev") class A { }',
  ],
  [
    'decorator of a method',
    'typescript',
    'match: { decorator: Public }',
    'class A { @Public() f() {} }',
    'class A { @Private() f() {} }',
  ],
  [
    'function without a decorator',
    'java',
    "match: { function: { decorator: ['PostMapping'], lacks_decorator: ['PreAuthorize'] } }",
    'class A { @PostMapping("/x") void f() {} }',
    'class A { @PostMapping("/x") @PreAuthorize("a") void f() {} }',
  ],
  [
    'function without a call',
    'python',
    "match: { function: { name: '^verify', lacks_call: ['*.compare_digest'] } }",
    'def verify(a): return a == b',
    'def verify(a): return hmac.compare_digest(a, b)',
  ],
  [
    'function with a parameter default',
    'python',
    'match: { function: { parameter: { fallback: { kind: [collection] } } } }',
    'def f(a=[]): pass',
    'def f(a=None): pass',
  ],
  [
    'class',
    'csharp',
    "match: { class: { extends: 'Controller$', lacks_decorator: ['Authorize'] } }",
    'class A : Controller { }',
    '[Authorize] class A : Controller { }',
  ],
  ['import', 'python', "match: { import: '^telnetlib$' }", 'import telnetlib', 'import ssl'],
  [
    'literal',
    'go',
    "match: { literal: { string: '^http://' } }",
    'package m\nvar u = "http://a.dev"',
    'package m\nvar u = "https://a.dev"',
  ],
  [
    'object',
    'javascript',
    'match: { object: { httpOnly: { missing: true }, maxAge: { missing: false } } }',
    'f({ maxAge: 1 })',
    'f({ maxAge: 1, httpOnly: true })',
  ],
  [
    'binary',
    'javascript',
    "match: { binary: { operator: ['=='], left: { name: '(?i)token' } } }",
    'if (token == x) f()',
    'if (token === x) f()',
  ],
  [
    'compare',
    'c',
    "match: { call: ['#store'], compare: [{ left: 'value(1)', operator: '>=', right: 'size(0)' }] }",
    'void f(void) { int a[4]; a[7] = g(); h(a[7]); }',
    'void f(void) { int a[4]; a[3] = g(); h(a[3]); }',
  ],
  [
    'catch',
    'java',
    "match: { catch: { type: '^Exception$', empty: true } }",
    'class A { void f() { try { g(); } catch (Exception e) { } } }',
    'class A { void f() { try { g(); } catch (Exception e) { log(e); } } }',
  ],
  [
    'throws',
    'javascript',
    'match: { throws: { constant: true } }',
    "function f() { throw 'x' }",
    "function f() { throw new Error('x') }",
  ],
  ['syntax', 'rust', 'match: { syntax: { kind: [unsafe_block] } }', 'fn f() { unsafe { g(); } }', 'fn f() { g(); }'],
  ['text', 'c', "match: { text: 'TODO' }", '/* TODO */ int a;', 'int a;'],
  [
    'tokens of SQL',
    'sql',
    "match: { tokens: ['^GRANT ALL ...'], unless_tokens: ['... TO admin'] }",
    'GRANT ALL ON a TO b;',
    'GRANT ALL ON a TO admin;',
  ],
  ['tokens of shell', 'bash', "match: { tokens: ['curl ... | {sh,bash}'] }", 'curl -s x | bash', 'curl -s x > y'],
  [
    'pipes as calls',
    'bash',
    "match: { call: '|', args: { 0: { path: curl }, last: { path: '{sh,bash}' } } }",
    'curl -s "$u" | sh',
    'curl -s "$u" | jq .',
  ],
]

const constraints: Row[] = [
  [
    'is, after folding',
    'javascript',
    "match: { call: f, args: { 0: { is: 'abc' } } }",
    "const a = 'a' + 'b'; f(a + 'c')",
    "f('abd')",
  ],
  ['in', 'python', 'match: { call: f, args: { 0: { in: [1, 2] } } }', 'f(2)', 'f(3)'],
  [
    'string',
    'php',
    "match: { call: hash, args: { 0: { string: '^md5$' } } }",
    "<?php hash('md5', $x);",
    "<?php hash('sha256', $x);",
  ],
  [
    'number',
    'java',
    'match: { call: "*.initialize", args: { 0: { number: { lt: 2048 } } } }',
    'class A { void f() { g.initialize(1024); } }',
    'class A { void f() { g.initialize(2048); } }',
  ],
  ['constant', 'python', 'match: { call: f, args: { 0: { constant: true } } }', "IV = b'0000'\nf(IV)", 'f(os.urandom(16))'],
  [
    'missing',
    'python',
    'match: { call: requests.get, args: { timeout: { missing: true } } }',
    'import requests\nrequests.get(u)',
    'import requests\nrequests.get(u, timeout=3)',
  ],
  [
    'type',
    'java',
    "match: { call: f, args: { 0: { type: '^Random$' } } }",
    'class A { void g() { Random r = new Random(); f(r); } }',
    'class A { void g() { SecureRandom r = new SecureRandom(); f(r); } }',
  ],
  [
    'path',
    'python',
    'match: { call: f, args: { mode: { path: ssl.CERT_NONE } } }',
    'import ssl\nf(mode=ssl.CERT_NONE)',
    'import ssl\nf(mode=ssl.CERT_REQUIRED)',
  ],
  ['name', 'ruby', "match: { call: f, args: { 0: { name: 'password' } } }", 'f(user.password)', 'f(user.name)'],
  ['text', 'swift', "match: { call: f, args: { 0: { text: '^\\.none$' } } }", 'f(.none)', 'f(.some)'],
  [
    'concat',
    'kotlin',
    'match: { call: f, args: { 0: { concat: true } } }',
    'fun g(a: String) { f("x $a") }',
    'fun g(a: String) { f(a) }',
  ],
  ['unquoted', 'bash', 'match: { call: rm, args: { any: { unquoted: true } } }', 'rm $x', 'rm "$x"'],
  [
    'keys',
    'javascript',
    'match: { call: f, args: { 1: { keys: { a: { is: 1 } }, lacks_keys: [b] } } }',
    'f(x, { a: 1 })',
    'f(x, { a: 1, b: 2 })',
  ],
  ['element', 'python', "match: { call: f, args: { 0: { element: { is: '-c' } } } }", "f(['sh', '-c'])", "f(['sh', '-x'])"],
  ['empty', 'ruby', 'match: { call: f, args: { 0: { empty: true } } }', "f('')", "f('a')"],
  [
    'entropy and placeholder',
    'go',
    'match: { call: f, args: { 0: { entropy: 3, placeholder: false } } }',
    'package m\nfunc g() { f("Zr7Lw4Vb8Tn3") }',
    'package m\nfunc g() { f("changeme12345") }',
  ],
  ['kind', 'javascript', 'match: { call: f, args: { 0: { kind: [function] } } }', 'f(() => 1)', 'f(1)'],
  [
    'not on an absent argument',
    'javascript',
    'match: { call: f, args: { secure: { not: { is: true } } } }',
    'f({})',
    'f({ secure: true })',
  ],
  ['any', 'javascript', 'match: { call: f, args: { 0: { any: [{ is: 1 }, { is: 2 }] } } }', 'f(2)', 'f(3)'],
  ['argc', 'python', 'match: { call: f, argc: { max: 1 } }', 'f(a)', 'f(a, b)'],
  [
    'receiver',
    'java',
    "match: { call: '*.getInstance', receiver: { name: '^Cipher$' } }",
    'class A { void f() { Cipher.getInstance(x); } }',
    'class A { void f() { Mac.getInstance(x); } }',
  ],
  [
    'compare',
    'c',
    "match: { call: strcpy, compare: [{ left: 'length(1)', operator: '>=', right: 'size(0)' }] }",
    'void f(void) { char b[3]; strcpy(b, "abc"); }',
    'void f(void) { char b[4]; strcpy(b, "abc"); }',
  ],
  [
    'marks: missing on some way',
    'java',
    "match: { call: '<Factory>.parse', receiver: { lacks_mark: safe } }",
    'class A { void f() { Factory x = new Factory(); if (a) { x.harden(); } x.parse(y); } }',
    'class A { void f() { Factory x = new Factory(); x.harden(); x.parse(y); } }',
    "marks: [{ call: ['<Factory>.harden'], mark: safe }]",
  ],
  [
    'marks: inherited by results',
    'java',
    "match: { call: '*.parse', receiver: { lacks_mark: safe } }",
    'class A { void f() { Factory x = new Factory(); x.builder().parse(y); } }',
    'class A { void f() { Factory x = new Factory(); x.harden(); x.builder().parse(y); } }',
    "marks: [{ call: ['<Factory>.harden'], mark: safe }]",
  ],
  [
    'marks: set by assignment',
    'csharp',
    "match: { call: '*.Load', receiver: { lacks_mark: safe } }",
    'class A { void F() { var d = new XmlDocument(); d.Load(x); } }',
    'class A { void F() { var d = new XmlDocument(); d.XmlResolver = null; d.Load(x); } }',
    "marks: [{ set: ['*.XmlResolver'], value: { is: null }, mark: safe }]",
  ],
  [
    'inside a function',
    'python',
    "match: { call: random.random, inside: { function: '(?i)token' } }",
    'import random\ndef make_token(): return random.random()',
    'import random\ndef jitter(): return random.random()',
  ],
  [
    'text inside of a route handler',
    'javascript',
    "match: { call: f, inside: { has_text: 'admin' } }",
    "app.get('/a', (q) => { admin(); f(q) })",
    "app.get('/a', (q) => { f(q) })\napp.get('/b', (q) => { admin() })",
  ],
  ['inside a loop', 'javascript', 'match: { call: f, inside: { loop: true } }', 'for (const a of b) f(a)', 'f(a)'],
  [
    'not inside a class',
    'java',
    "match: { call: f, not_inside: { extends: '^Test' } }",
    'class A extends B { void g() { f(); } }',
    'class A extends TestCase { void g() { f(); } }',
  ],
  [
    'file conditions',
    'javascript',
    "match: { call: express, file_lacks: ['helmet'] }",
    "const express = require('express'); const app = express()",
    "const express = require('express'); const helmet = require('helmet'); const app = express()",
  ],
  ['unless', 'javascript', 'match: { call: f }\nunless: { args: { 0: { is: 1 } } }', 'f(2)', 'f(1)'],
  [
    'unless of a rule about literals',
    'javascript',
    "match: { literal: { is: 'x' } }\nunless: { inside: { function: '^g$' } }",
    "function f() { return 'x' }",
    "function g() { return 'x' }",
  ],
  [
    'unless of a rule about functions',
    'javascript',
    "match: { function: { name: '^f$' } }\nunless: { file_has: 'helmet' }",
    'function f() {}',
    'function f() {} // helmet',
  ],
]

const flows: Row[] = [
  [
    'annotated parameter',
    'java',
    'taint: { kind: k, sinks: [{ call: sink }], sources: [{ parameter: { decorator: [RequestParam] } }] }',
    'class A { void f(@RequestParam String a) { sink(a); } }',
    'class A { void f(@RequestParam int a) { sink(a); } }',
  ],
  [
    'parameter of a decorated function',
    'python',
    "taint: { kind: k, sinks: [{ call: sink }], sources: [{ parameter: { function: { decorator: ['*.route'] } } }], from: { remote: high } }",
    "@app.route('/')\ndef f(a): sink(a)",
    'def f(a): sink(a)',
  ],
  [
    'parameter of a callback',
    'javascript',
    'taint: { kind: k, sinks: [{ call: sink }], sources: [{ callback: { call: ["*.on"], parameter: 0 }, args: { 0: { is: message } } }] }',
    "ws.on('message', (m) => sink(m))",
    "ws.on('close', (m) => sink(m))",
  ],
  [
    'typed callback parameters',
    'csharp',
    "taint: { kind: k, sinks: [{ call: sink }], sources: [{ read: ['Ctx.Query'] }] }",
    'class A { void F() { app.Map("/x", c => sink(c.Query)); } }',
    'class A { void F() { app.Other("/x", c => sink(c.Query)); } }',
    "callbacks: [{ call: ['*.Map'], parameters: [Ctx] }]",
  ],
  [
    'labels',
    'python',
    'taint: { kind: k, from: { personal: medium }, sinks: [{ call: sink }], sources: [{ read: ["*.ssn"], label: personal }] }',
    'sink(user.ssn)',
    'sink(user.id)',
  ],
  [
    'unless of a taint rule',
    'python',
    "taint: { kind: k, sinks: [{ call: sink }], sources: [{ call: src }] }\nunless: { file_has: 'trusted' }",
    'sink(src())',
    'sink(src()) # trusted',
  ],
  [
    'conditions of a parameter source',
    'python',
    "taint: { kind: k, from: { remote: high }, sinks: [{ call: sink }], sources: [{ parameter: { index: 0 }, file_has: 'handler' }] }",
    'def f(a): sink(a) # handler',
    'def f(a): sink(a)',
  ],
  [
    'index sink of an assignment',
    'c',
    'taint: { kind: k, from: { remote: high }, sinks: [{ index: true }], sources: [{ call: src }] }',
    'void f(int *a) { int i = src(); a[i] = 1; }',
    'void f(int *a) { int i = src(); a[0] = i; }',
  ],
  ['built parameters', 'python', 'taint: { kind: k, sinks: [{ call: sink }] }', 'def f(a): sink("x" + a)', 'def f(a): sink(a)'],
  [
    'called functions are judged by their callers',
    'python',
    'taint: { kind: k, sinks: [{ call: sink }] }',
    'def f(a): sink("x" + a)',
    'def f(a): sink("x" + a)\nf("y")',
  ],
  [
    'opaque calls',
    'python',
    'taint: { kind: k, opaque: safe, sinks: [{ call: sink }], sources: [{ call: src }] }',
    'sink(src())',
    'sink(load(src()))',
  ],
  [
    'a method of a pattern is not the sink of its name',
    'javascript',
    "taint: { kind: k, sinks: [{ call: '*.exec' }], sources: [{ call: src }] }",
    'const db = open(); db.exec(src())',
    "const words = new RegExp('^a'); words.exec(src()); /b/.exec(src())",
  ],
  [
    'safe prefix',
    'javascript',
    "taint: { kind: k, sinks: [{ call: sink, safe_prefix: '^https://[^/]+/' }], sources: [{ call: src }] }",
    'sink(src() + "/x")',
    'sink(`https://a.dev/${src()}`)',
  ],
  [
    'sink by key',
    'javascript',
    'taint: { kind: k, sinks: [{ key: [html] }], sources: [{ call: src }] }',
    'f({ html: src() })',
    'f({ text: src() })',
  ],
  [
    'sink by assignment',
    'javascript',
    "taint: { kind: k, sinks: [{ set: ['*.innerHTML'] }], sources: [{ call: src }] }",
    'e.innerHTML = src()',
    'e.textContent = src()',
  ],
  [
    'sink by return',
    'python',
    "taint: { kind: k, sinks: [{ returns: { decorator: ['*.route'] }, built: true }], sources: [{ call: src }] }",
    "@app.route('/')\ndef f(): return '<b>' + src()",
    "def f(): return '<b>' + src()",
  ],
  [
    'sink by operator',
    'c',
    'taint: { kind: integer, sinks: [{ binary: ["*"] }], sources: [{ call: src }] }',
    'int f(void) { int a = src(); return a * 2; }',
    'int f(void) { int a = src(); if (a > 100) return 0; return a * 2; }',
  ],
  [
    'guards of packs',
    'python',
    'taint: { kind: k, sinks: [{ call: sink }], sources: [{ call: src }] }',
    'def f():\n  a = src()\n  if not fine(a): return\n  sink(a)',
    'def f():\n  a = src()\n  if not good(a): return\n  sink(a)',
    'guards: [{ call: [good], kinds: [k] }]',
  ],
  [
    'sanitizer of one kind',
    'python',
    'taint: { kind: k, sinks: [{ call: sink }], sources: [{ call: src }] }',
    'sink(other(src()))',
    'sink(mine(src()))',
    'sanitizers: [{ call: [other], kinds: [html] }, { call: [mine], kinds: [k] }]',
  ],
]

const objects = (rows: readonly Row[]) =>
  rows.map(([name, language, body, bad, good, pack]) => ({ name, language, body, bad, good, pack }))
type Sample = ReturnType<typeof objects>[number]

async function outcome({ language, body, bad, good, pack }: Sample): Promise<{ bad: boolean; good: boolean }> {
  return { bad: await fires(language, body, bad, pack), good: await fires(language, body, good, pack) }
}

describe('matchers', () => {
  it.each(objects(matchers))('$name ($language)', async (sample) =>
    expect(await outcome(sample)).toEqual({ bad: true, good: false }),
  )
})

describe('constraints', () => {
  it.each(objects(constraints))('$name ($language)', async (sample) =>
    expect(await outcome(sample)).toEqual({ bad: true, good: false }),
  )
})

describe('taint rules', () => {
  it.each(objects(flows))('$name ($language)', async (sample) =>
    expect(await outcome(sample)).toEqual({ bad: true, good: false }),
  )
})
