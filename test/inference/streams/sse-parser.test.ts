/** The parser of provider streams: what it reads does not depend on how the bytes arrive. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EventTooLarge, SseParser } from '../../../subgraphs/inference/providers/sse-parser.js'

function read(bytes: Buffer, cuts: readonly number[] = [], limit = 1 << 20): string[] {
  const events: string[] = []
  const parser = new SseParser((data) => events.push(data), limit)
  let start = 0
  for (const cut of [...cuts].sort((a, b) => a - b)) {
    const end = Math.min(bytes.length, Math.max(start, cut))
    parser.push(bytes.subarray(start, end))
    start = end
  }
  parser.push(bytes.subarray(start))
  parser.end()
  return events
}

const read1 = (text: string) => read(Buffer.from(text))

describe('server-sent events', () => {
  it.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
    ['CR', '\r'],
  ])('are read with %s as line end', (_, end) => {
    expect(read1(`data: a${end}${end}data: b${end}${end}`)).toEqual(['a', 'b'])
  })

  it('join several data lines with a line feed', () => expect(read1('data: a\ndata: b\n\n')).toEqual(['a\nb']))

  it('need no space after the colon and keep a second one', () => expect(read1('data:a\n\ndata:  b\n\n')).toEqual(['a', ' b']))

  it('ignore comments, other fields, a byte order mark and empty events', () => {
    expect(read1('\ufeffdata: a\n\n: ping\n\nevent: x\nid: 1\nretry: 5\ndata: b\n\ndata\n\ndatax: c\n\n')).toEqual(['a', 'b'])
  })

  it('may lack the empty line at the end, and even the line end', () => {
    expect(read1('data: a\n\ndata: b\n')).toEqual(['a', 'b'])
    expect(read1('data: a\n\ndata: b')).toEqual(['a', 'b'])
  })

  it('are the same however the bytes are split', () => {
    const line = fc.oneof(
      fc.string({ unit: 'grapheme' }).map((text) => `data: ${text.replaceAll(/[\r\n]/g, '')}`),
      fc.constantFrom('', '', '', ': comment', 'event: x', 'data', 'data:', 'data:[DONE]'),
    )
    const ends = fc.constantFrom('\n', '\r\n', '\r')
    let severalEvents = 0
    fc.assert(
      fc.property(
        fc.array(fc.tuple(line, ends), { minLength: 5, maxLength: 30 }),
        fc.array(fc.nat(400), { maxLength: 20 }),
        (lines, cuts) => {
          const bytes = Buffer.from(lines.map(([text, end]) => text + end).join(''))
          const whole = read(bytes)
          if (whole.length > 1) severalEvents++
          expect(read(bytes, cuts)).toEqual(whole)
          expect(
            read(
              bytes,
              Array.from({ length: bytes.length }, (_, i) => i),
            ),
          ).toEqual(whole)
        },
      ),
      { numRuns: 300 },
    )
    expect(severalEvents).toBeGreaterThan(50)
  })

  it('survive arbitrary bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.array(fc.nat(400), { maxLength: 5 }), (bytes, cuts) => {
        expect(read(Buffer.from(bytes), cuts)).toEqual(read(Buffer.from(bytes)))
      }),
    )
  })

  it('may be taken by who reads several at once, from where one begins to where another does', () => {
    const bytes = Buffer.from('\ufeffdata: a\n\n: ping\n\ndata: b\n\ndata: c\ndata: d\n\ndata: b\n\ndata: e\n\n')
    const [read, taken]: [string[], string[]] = [[], []]
    const takes = (text: string, at: number) => {
      if (!text.startsWith('data: b\n\n', at)) return at
      taken.push('b')
      return at + 'data: b\n\n'.length
    }
    new SseParser((data) => read.push(data), 1 << 20, takes).push(bytes)
    expect([read, taken]).toEqual([
      ['a', 'c\nd', 'e'],
      ['b', 'b'],
    ])
  })

  it('over the limit are refused, in one piece, in many, and as many lines', () => {
    const large = `data: ${'x'.repeat(2_000)}\n\n`
    expect(() => read(Buffer.from(large), [], 1_000)).toThrow(EventTooLarge)
    expect(() => read(Buffer.from(large), [100, 200, 900], 1_000)).toThrow(EventTooLarge)
    expect(() => read(Buffer.from('data: 0123456789\n'.repeat(100)), [], 1_000)).toThrow(EventTooLarge)
    expect(read(Buffer.from('data: 0123456789\n\n'.repeat(100)), [], 1_000)).toHaveLength(100)
  })

  it('of a megabyte that comes byte by byte are read in linear time', () => {
    const bytes = Buffer.from(`data: ${'x'.repeat(1 << 20)}\n\n`)
    const events: string[] = []
    const parser = new SseParser((data) => events.push(data), 1 << 21)
    for (let i = 0; i < bytes.length; i++) parser.push(bytes.subarray(i, i + 1))
    expect(events[0]).toHaveLength(1 << 20)
  })
})
