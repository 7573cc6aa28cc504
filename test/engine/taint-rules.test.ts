/** Every part of a taint rule does what the guide says. */
import { describe, expect, it } from 'vitest'
import { outcome, samples, type Row } from './rules/rule-samples.js'

const rows: Row[] = [
  [
    'joined text that speaks the language of the sink',
    'php',
    "taint: { kind: k, from: { remote: high }, sinks: [{ call: '*.run', argument: 0, speaks: 'select ' }], sources: [{ call: src }] }",
    "<?php\n$x = src(); $a->run('select ' . $x);",
    "<?php\n$x = src(); $a->run('svn ' . $x);",
  ],
  [
    'data that was passed on whole may be in the language of the sink',
    'php',
    "taint: { kind: k, from: { remote: high }, sinks: [{ call: '*.run', argument: 0, speaks: 'select ' }], sources: [{ call: src }] }",
    '<?php\n$x = src(); $a->run($x);',
    "<?php\n$x = src(); $a->run('ls ' . $x . ' /tmp');",
  ],
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

describe('taint rules', () => {
  it.each(samples(rows))('$name ($language)', async (sample) => expect(await outcome(sample)).toEqual({ bad: true, good: false }))
})
