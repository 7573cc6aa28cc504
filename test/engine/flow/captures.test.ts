/** What the groups of a regular expression let through. A line that must be reported ends in `BAD`. */
import { describe, expect, it } from 'vitest'
import type { Language } from '../../../subgraphs/compliance/engine/languages.js'
import { groupsOf } from '../../../subgraphs/compliance/engine/flow/values/captures.js'
import { reachedLines } from './kit.js'

const cases: readonly (readonly [Language, string])[] = [
  ['javascript', 'function f() { const m = source().match(/^(\\w+)-(.*)$/)\n  sink("a" + m[1])\n  sink("a" + m[2]) // BAD\n}'],
  [
    'javascript',
    'const re = /^(\\d+)-(.*)$/\nfunction f() { const [, id, rest] = re.exec(source())\n  sink("a" + id)\n  sink("a" + rest) // BAD\n}',
  ],
  [
    'typescript',
    'function f() { const m = /(?<id>\\d+):(?<rest>.*)/.exec(source())!\n  const g = m.groups!\n  sink("a" + g.id)\n  sink("a" + g.rest) // BAD\n}',
  ],
  [
    'python',
    'import re\ndef f():\n    m = re.match(r"^(\\w+)-(.*)$", source())\n    sink("a" + m.group(1))\n    sink("a" + m.group(2)) # BAD',
  ],
  [
    'python',
    'import re\nP = re.compile(r"(?P<id>\\d+)-(?P<rest>.*)")\ndef f():\n    m = P.match(source())\n    sink("a" + m.group("id"))\n    sink("a" + m["rest"]) # BAD',
  ],
  [
    'go',
    'package p\nvar re = regexp.MustCompile(`^(\\w+)-(.*)$`)\nfunc f() {\n\tm := re.FindStringSubmatch(source())\n\tsink("a" + m[1])\n\tsink("a" + m[2]) // BAD\n}',
  ],
  [
    'php',
    '<?php function f() { if (preg_match("/^(\\w+)-(.*)$/D", source(), $m)) {\n sink("a" . $m[1]);\n sink("a" . $m[2]); // BAD\n} }',
  ],
  ['ruby', 'def f()\n  m = source().match(/\\A(\\w+)-(.*)\\z/)\n  sink("a" + m[1])\n  sink("a" + m[2]) # BAD\nend'],
  [
    'csharp',
    'class A { static readonly Regex P = new(@"^(\\w+)-(.*)$"); void F() { var m = P.Match(source());\n sink("a" + m.Groups[1].Value);\n sink("a" + m.Groups[2].Value); // BAD\n} }',
  ],
  [
    'kotlin',
    'val p = Regex("^(\\\\w+)-(.*)$")\nfun f() { val m = p.matchEntire(source()) ?: return\n  sink("a" + m.groupValues[1])\n  sink("a" + m.groupValues[2]) // BAD\n}',
  ],
  [
    'kotlin',
    'val p = Regex("^(\\\\w+)-(.*)$")\nfun f() { val (id, rest) = p.matchEntire(source())!!.destructured\n  sink("a" + id)\n  sink("a" + rest) // BAD\n}',
  ],
  [
    'java',
    'class A { static final Pattern P = Pattern.compile("^(\\\\w+)-(.*)$"); void f() { Matcher m = P.matcher(source());\n if (!m.matches()) return;\n sink("a" + m.group(1));\n sink("a" + m.group(2)); // BAD\n} }',
  ],
  // Another folder, another host.
  ['javascript', 'function f() { const m = /^files-([\\w./-]+)$/.exec(source())\n  psink("a" + m[1]) // BAD\n}'],
  ['javascript', 'function f() { const m = /^host=([\\w.-]+)$/.exec(source())\n  host_sink("https://" + m[1]) // BAD\n}'],
]

describe('groups of a regular expression', () => {
  it.each(cases)('%s: lets through what the group does (%#)', async (language, code) => {
    const marked = code.split('\n').flatMap((line, at) => (line.endsWith('BAD') ? [at + 1] : []))
    expect(await reachedLines(language, code)).toEqual(marked)
  })

  it('are numbered by their opening brackets, in and out of classes', () => {
    expect(groupsOf(String.raw`^(?:a|b)([(\])]+)\((?<year>\d{4}(-\d\d)?)\)(?=x)(.*)`)).toEqual([
      { index: 1, name: undefined, body: String.raw`[(\])]+` },
      { index: 2, name: 'year', body: String.raw`\d{4}(-\d\d)?` },
      { index: 3, name: undefined, body: String.raw`-\d\d` },
      { index: 4, name: undefined, body: '.*' },
    ])
  })
})
