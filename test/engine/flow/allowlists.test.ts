/** What counts as a list of allowed values in each language, and what does not. A line that must be reported ends in `BAD`. */
import { describe, expect, it } from 'vitest'
import type { Language } from '../../../subgraphs/compliance/engine/languages.js'
import { reachedLines } from './kit.js'

/** A collection that something else fills: that it contains a key says nothing about the key. */
const plainNames: readonly (readonly [Language, string])[] = [
  ['javascript', 'function f() { const n = source(); if (sessions.has(n)) sink("a" + n) } // BAD'],
  ['typescript', 'function f() { const n = source(); if (sessions.has(n)) sink("a" + n) } // BAD'],
  ['python', 'def f():\n    n = source()\n    if n in sessions:\n        sink("a" + n) # BAD'],
  ['java', 'class A { void f() { String n = source(); if (sessions.containsKey(n)) sink("a" + n); } } // BAD'],
  ['go', 'package p\nfunc f() {\n\tn := source()\n\tif _, ok := sessions[n]; ok {\n\t\tsink("a" + n) // BAD\n\t}\n}'],
  ['csharp', 'class A { void F() { var n = source(); if (sessions.ContainsKey(n)) sink("a" + n); } } // BAD'],
  ['php', '<?php function f() { global $sessions; $n = source(); if (in_array($n, $sessions)) { sink("a" . $n); } } // BAD'],
  ['ruby', 'def f()\n  n = source()\n  sink("a" + n) if sessions.key?(n) # BAD\nend'],
  // The ending of a file's name says nothing of its folder.
  ['ruby', 'def f()\n  n = source()\n  sink("a" + n) if %w[.png .gif].include?(File.extname(n)) # BAD\nend'],
  ['python', 'def f():\n    n = source()\n    if os.path.splitext(n)[1] in (".png", ".gif"):\n        sink("a" + n) # BAD'],
  [
    'javascript',
    'function f() { const n = source(); const ext = path.extname(n); if (![".png"].includes(ext)) return; sink("a" + n) } // BAD',
  ],
  ['swift', 'func f() { let n = source(); if sessions.contains(n) { sink("a" + n) } } // BAD'],
  ['kotlin', 'fun f() { val n = source(); if (sessions.containsKey(n)) sink("a" + n) } // BAD'],
  ['rust', 'fn f() { let n = source(); if sessions.contains(&n) { sink(n); } } // BAD'],
  ['c', 'int f() { char *n = source(); if (contains(sessions, n)) { sink(n); } return 0; } // BAD'],
  ['cpp', 'void f() { auto n = source(); if (sessions.contains(n)) { sink(n); } } // BAD'],
  ['scala', 'def f() = { val n = source(); if (sessions.contains(n)) { sink("a" + n) } } // BAD'],
]

/** Collections of constants, in the forms that each language has for them. */
const constants: readonly (readonly [Language, string])[] = [
  ['javascript', 'const ok = new Set(["a", "b"])\nfunction f() { const n = source(); if (ok.has(n)) sink(n) }'],
  ['javascript', 'const ok = Object.freeze(["a", "b"])\nfunction f() { const n = source(); if (ok.includes(n)) sink(n) }'],
  ['javascript', 'const ok = new Map([["a", 1], ["b", 2]])\nfunction f() { const n = source(); if (ok.has(n)) sink(n) }'],
  ['typescript', 'const ok = new Set<string>(["a", "b"])\nfunction f() { const n = source(); if (ok.has(n)) sink(n) }'],
  [
    'typescript',
    'const ok: ReadonlySet<string> = new Set(["a", "b"] as const)\nfunction f() { const n = source(); if (ok.has(n)) sink(n) }',
  ],
  ['python', 'ok = frozenset(["a", "b"])\ndef f():\n    n = source()\n    if n in ok:\n        sink(n)'],
  ['python', 'ok = set(("a", "b"))\ndef f():\n    n = source()\n    if n in ok:\n        sink(n)'],
  ['python', 'ok = {"a", "b"}\ndef f():\n    n = source()\n    if n not in ok:\n        return\n    sink(n)'],
  [
    'java',
    'class A { static final Set<String> ok = Set.of("a", "b"); void f() { String n = source(); if (ok.contains(n)) sink(n); } }',
  ],
  [
    'java',
    'class A { private final Set<String> ok = new HashSet<>(Arrays.asList("a", "b")); void f() { String n = source(); if (ok.contains(n)) sink(n); } }',
  ],
  [
    'java',
    'class A { private final Map<String, String> ok = Map.of("a", "1", "b", "2"); void f() { String n = source(); if (ok.containsKey(n)) sink(n); } }',
  ],
  [
    'java',
    'class A { static final Set<String> ok = Collections.unmodifiableSet(new HashSet<>(List.of("a", "b"))); void f() { String n = source(); if (ok.contains(n)) sink(n); } }',
  ],
  [
    'java',
    'class A { static final Set<String> ok = ImmutableSet.of("a", "b"); void f() { String n = source(); if (!ok.contains(n)) return; sink(n); } }',
  ],
  [
    'go',
    'package p\nvar ok = map[string]bool{"a": true, "b": true}\nfunc f() {\n\tn := source()\n\tif ok[n] {\n\t\tsink(n)\n\t}\n}',
  ],
  [
    'go',
    'package p\nvar ok = []string{"a", "b"}\nfunc f() {\n\tn := source()\n\tif slices.Contains(ok, n) {\n\t\tsink(n)\n\t}\n}',
  ],
  [
    'go',
    'package p\nvar ok = map[string]struct{}{"a": {}, "b": {}}\nfunc f() {\n\tn := source()\n\tif _, found := ok[n]; found {\n\t\tsink(n)\n\t}\n}',
  ],
  [
    'csharp',
    'class A { static readonly HashSet<string> ok = new HashSet<string> { "a", "b" }; void F() { var n = source(); if (ok.Contains(n)) sink(n); } }',
  ],
  [
    'csharp',
    'class A { static readonly HashSet<string> ok = new() { "a", "b" }; void F() { var n = source(); if (ok.Contains(n)) sink(n); } }',
  ],
  [
    'csharp',
    'class A { static readonly HashSet<string> ok = new(StringComparer.Ordinal) { "a", "b" }; void F() { var n = source(); if (ok.Contains(n)) sink(n); } }',
  ],
  [
    'csharp',
    'class A { static readonly string[] ok = { "a", "b" }; void F() { var n = source(); if (!ok.Contains(n)) return; sink(n); } }',
  ],
  [
    'csharp',
    'class A { static readonly FrozenSet<string> ok = new[] { "a", "b" }.ToFrozenSet(); void F() { var n = source(); if (ok.Contains(n)) sink(n); } }',
  ],
  ['php', '<?php const ok = ["a", "b"]; function f() { $n = source(); if (in_array($n, ok, true)) { sink($n); } }'],
  ['php', '<?php function f() { $ok = array("a" => 1, "b" => 2); $n = source(); if (array_key_exists($n, $ok)) { sink($n); } }'],
  ['php', '<?php function f() { $ok = array("a" => 1, "b" => 2); $n = source(); if (isset($ok[$n])) { sink($n); } }'],
  ['ruby', 'def f\n  ok = Set.new(["a", "b"])\n  n = source()\n  sink(n) if ok.include?(n)\nend'],
  ['ruby', 'def f\n  ok = Set["a", "b"]\n  n = source()\n  sink(n) if ok.include?(n)\nend'],
  ['ruby', 'def f\n  ok = %w[a b].freeze\n  n = source()\n  sink(n) if ok.include?(n)\nend'],
  ['ruby', 'def f\n  ok = %w[a b].to_set.freeze\n  n = source()\n  sink(n) if ok.member?(n)\nend'],
  ['swift', 'let ok: Set<String> = ["a", "b"]\nfunc f() { let n = source(); if ok.contains(n) { sink(n) } }'],
  ['swift', 'let ok = Set(["a", "b"])\nfunc f() { let n = source(); guard ok.contains(n) else { return }; sink(n) }'],
  ['kotlin', 'val ok = setOf("a", "b")\nfun f() { val n = source(); if (n in ok) sink(n) }'],
  ['kotlin', 'val ok = setOf("a", "b")\nfun Route.ok() { val n = source(); if (n !in ok) return; sink(n) }'],
  ['kotlin', 'val ok = hashSetOf("a", "b")\nfun f() { val n = source(); if (ok.contains(n)) sink(n) }'],
  ['kotlin', 'val ok = mapOf("a" to 1, "b" to 2)\nfun f() { val n = source(); if (ok.containsKey(n)) sink(n) }'],
  ['rust', 'fn f() { let ok = HashSet::from(["a", "b"]); let n = source(); if ok.contains(n.as_str()) { sink(n); } }'],
  ['rust', 'fn f() { let ok = ["a", "b"]; let n = source(); if !ok.contains(&n.as_str()) { return; } sink(n); }'],
  [
    'rust',
    'fn f() { let ok: HashSet<&str> = ["a", "b"].into_iter().collect(); let n = source(); if ok.contains(n.as_str()) { sink(n); } }',
  ],
  [
    'cpp',
    'static const std::set<std::string> ok = {"a", "b"};\nvoid f() { auto n = source(); if (ok.contains(n)) { sink(n); } }',
  ],
  [
    'cpp',
    'static const std::unordered_set<std::string> ok{"a", "b"};\nvoid f() { auto n = source(); if (ok.count(n) > 0) { sink(n); } }',
  ],
  [
    'cpp',
    'static const std::set<std::string> ok = {"a", "b"};\nvoid f() { auto n = source(); if (ok.find(n) == ok.end()) { return; } sink(n); }',
  ],
  ['scala', 'val ok = Set("a", "b")\ndef f() = { val n = source(); if (ok.contains(n)) { sink(n) } }'],
  ['scala', 'val ok = List("a", "b")\ndef f() = { val n = source(); if (ok.contains(n)) { sink(n) } }'],
  ['scala', 'val ok = Map("a" -> 1, "b" -> 2)\ndef f() = { val n = source(); if (ok.contains(n)) { sink(n) } }'],
]

const marked = (code: string): number[] => code.split('\n').flatMap((line, at) => (/(?:\/\/|#) BAD$/.test(line) ? [at + 1] : []))

describe('a test for membership', () => {
  it.each(plainNames)('in %s, of a collection that others fill, leaves the value as it is', async (language, code) => {
    expect(await reachedLines(language, code)).toEqual(marked(code))
  })

  it.each(constants)('in %s, of a collection of constants, makes the value harmless: %s', async (language, code) => {
    expect(await reachedLines(language, code)).toEqual([])
    // And a test of another collection does not.
    const open = code.replaceAll(/\bok\b/g, (name, at: number) => (at > code.indexOf('source()') ? 'others' : name))
    expect(await reachedLines(language, open)).not.toEqual([])
  })

  it.each(['allowedHosts', 'SORT_COLUMNS', 'safe_names', 'validKeys', 'whitelist'])(
    'of %s makes the value harmless',
    async (name) => {
      expect(await reachedLines('javascript', `function f() { const n = source(); if (${name}.includes(n)) sink(n) }`)).toEqual(
        [],
      )
    },
  )

  it.each(['ids', 'sessions', 'invalidNames', 'unknown_hosts', 'disallowed', 'UNSAFE_NAMES', 'blacklist'])(
    'of %s does not',
    async (name) => {
      expect(await reachedLines('javascript', `function f() { const n = source(); if (${name}.includes(n)) sink(n) }`)).toEqual([
        1,
      ])
    },
  )
})
