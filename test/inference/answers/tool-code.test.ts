/** Code in the arguments of function calls: which functions, which arguments, in which language. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codeOfCall, KNOWN_TOOLS, type ToolCodeRule } from '../../../subgraphs/inference/answers/tool-code.js'

const code = (name: string, given: unknown) =>
  codeOfCall(KNOWN_TOOLS, name, typeof given === 'string' ? given : JSON.stringify(given))

const rule = (name: string, more: Partial<ToolCodeRule> = {}): ToolCodeRule => ({
  name,
  code: ['code'],
  path: [],
  language: 'python',
  isPatch: false,
  ...more,
})

describe('code in calls of functions', () => {
  it('is what agents write into files, in the language of the path', () => {
    expect(code('write_file', { path: 'src/app.py', content: 'x = 1' })).toEqual([{ code: 'x = 1', label: 'src/app.py' }])
    expect(code('Write', { file_path: '/a/b.ts', content: 'let x' })).toEqual([{ code: 'let x', label: '/a/b.ts' }])
    expect(code('mcp__fs__write_file', { path: 'a.go', content: 'x' })).toEqual([{ code: 'x', label: 'a.go' }])
    expect(code('Edit', { file_path: 'a.rb', old_string: 'no', new_string: 'yes' })).toEqual([{ code: 'yes', label: 'a.rb' }])
  })

  it('is a command of a shell, as a text or as words', () => {
    expect(code('Bash', { command: 'ls -l' })).toEqual([{ code: 'ls -l', label: 'bash' }])
    expect(code('shell', { command: ['bash', '-lc', 'cat $1'] })).toEqual([{ code: 'cat $1', label: 'bash' }])
    expect(code('local_shell', { command: ['git', 'status'] })).toEqual([{ code: 'git status', label: 'bash' }])
  })

  it('is what a patch adds, file by file, and not what it takes away', () => {
    const patch =
      '*** Begin Patch\n*** Add File: a.py\n+import os\n+x = 1\n*** Update File: b.js\n@@\n keep()\n-gone()\n+added()\n*** End Patch'
    expect(code('apply_patch', { input: patch })).toEqual([
      { label: 'a.py', code: 'import os\nx = 1\n' },
      { label: 'b.js', code: 'keep()\nadded()\n' },
    ])
    const diff = 'diff --git a/c.php b/c.php\n--- a/c.php\n+++ b/c.php\n@@ -1 +1 @@\n-<?php a();\n+<?php b();\n'
    expect(code('apply_patch', { patch: diff })).toEqual([{ label: 'c.php', code: '<?php b();\n' }])
  })

  it('is none of other functions, other arguments, or arguments that are no JSON object', () => {
    expect(code('get_weather', { content: 'x = 1' })).toEqual([])
    expect(code('write_file', { path: 'a.py', mode: 'w' })).toEqual([])
    for (const text of ['', '{"content": "x', '[]', '"x"', 'null']) expect(code('write_file', text)).toEqual([])
    expect(code('shell', { command: ['ls', 1] })).toEqual([])
  })

  it('is looked for by patterns in which * stands for any text, and letter case does not count', () => {
    const isCalled = (pattern: string, name: string) => codeOfCall([rule(pattern)], name, '{"code":"1"}').length === 1
    expect([isCalled('run*code', 'Run_My_Code'), isCalled('run*code', 'runcode'), isCalled('run*code', 'runcod')]).toEqual([
      true,
      true,
      false,
    ])
    expect([isCalled('a*a', 'a'), isCalled('*', ''), isCalled('*b*c*', 'abxc'), isCalled('*b*c*', 'acxb')]).toEqual([
      false,
      true,
      true,
      false,
    ])
    const letters = fc.string({ unit: fc.constantFrom('a', 'b') })
    fc.assert(
      fc.property(fc.array(letters, { minLength: 1, maxLength: 4 }), letters, (parts, name) => {
        expect(isCalled(parts.join('*'), name)).toBe(new RegExp(`^${parts.join('.*')}$`).test(name))
        expect(isCalled(parts.join('*'), parts.join(name))).toBe(true)
      }),
    )
  })

  it('may stand within another argument', () => {
    const nested = rule('run', { code: ['job.code'] })
    expect(codeOfCall([nested], 'run', '{"job":{"code":"x"}}')).toEqual([{ code: 'x', label: 'python' }])
  })
})
