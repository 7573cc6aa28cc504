import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fencedBlocks, FencedBlockReader } from '../../src/platform/fenced-blocks.js'

const lines = fc.array(
  fc.constantFrom(
    '```python',
    '```',
    '~~~ js',
    '~~~',
    '````',
    '  ```sh title="a b"',
    '  ```',
    'text',
    '    code',
    '',
    'a `b` c',
    '``` a`b',
    '```\r',
  ),
  { maxLength: 30 },
)

describe('fenced code blocks', () => {
  it('are the same whatever the pieces in which the text arrives', () => {
    fc.assert(
      fc.property(lines, fc.array(fc.nat(20), { minLength: 1, maxLength: 20 }), (texts, sizes) => {
        const text = texts.join('\n')
        const reader = new FencedBlockReader()
        const found = []
        for (let at = 0, turn = 0; at < text.length; turn++) {
          const size = sizes[turn % sizes.length]! + (turn >= sizes.length ? 1 : 0)
          found.push(...reader.read(text.slice(at, at + size)))
          at += size
        }
        found.push(...reader.end())
        expect(found).toEqual(fencedBlocks(text))
      }),
    )
  })

  it('begin at the line that is said, and hold the lines up to their fence', () => {
    const text =
      'Look:\n\n1. this\n   ```ts title="x.ts"\n   const a = 1\n     b()\n   ```\n~~~\nplain ``` text\n~~~\n```py\nopen'
    expect(fencedBlocks(text)).toEqual([
      { label: 'ts', line: 5, code: 'const a = 1\n  b()\n' },
      { label: '', line: 9, code: 'plain ``` text\n' },
      { label: 'py', line: 12, code: 'open\n' },
    ])
  })

  it('end only with a fence of their kind that is as long', () => {
    expect(fencedBlocks('````md\n```js\nx\n```\n````\n')).toEqual([{ label: 'md', line: 2, code: '```js\nx\n```\n' }])
  })

  it('are not what stands in backticks within a line', () => {
    expect(fencedBlocks('``` a `b` ```\ntext')).toEqual([])
  })
})
