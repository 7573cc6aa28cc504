/** Counting tokens: exact where it can be, bounded where it cannot, never slow. */
import * as fc from 'fast-check'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { promptSize, countPrompt } from '../../subgraphs/inference/tokens/prompt-size.js'
import { defaultChatLimits } from '../../subgraphs/inference/limits.js'
import { parseChatRequest } from '../../subgraphs/inference/chat/request.js'
import { countText, DeliveredText, loadTokenizer } from '../../subgraphs/inference/tokens/token-count.js'
import { readUsage, takeUsage } from '../../subgraphs/inference/tokens/usage.js'

const WORDS = 'The quick brown fox jumps over the lazy dog, and 12345 others do so too. '
const exact = (text: string) => encode(text, { disallowedSpecial: new Set() }).length

describe('a count', () => {
  it('of a long text in slices is that of the whole', async () => {
    const text = WORDS.repeat(3_000)
    expect(await countText('o200k_base', text)).toBe(exact(text))
  })

  it('takes special tokens for the text that they are', async () => {
    expect(await countText('o200k_base', 'a <|endoftext|> b')).toBeGreaterThan(5)
  })

  it('of one endless word is not too low and takes about as long as one of ordinary text', async () => {
    const timed = async (text: string) => {
      const started = performance.now()
      return { tokens: await countText('o200k_base', text), ms: performance.now() - started }
    }
    const letters = Array.from({ length: 100_000 }, (_, index) => String.fromCodePoint(97 + ((index * index * 7) % 26))).join('')
    const ordinary = await timed(letters.replaceAll(/(.{5})/g, '$1 '))
    const endless = await timed(letters)
    expect(endless.tokens).toBeGreaterThan(10_000)
    expect(endless.ms).toBeLessThan(ordinary.ms * 20 + 50)
  })

  it('of delivered text is that of the whole text, however it arrives and whenever it is asked', async () => {
    const count = await loadTokenizer('o200k_base')
    const piece = fc.oneof(
      fc.constantFrom(
        ' word',
        ' another',
        ' A',
        '.',
        ', ',
        '\n\n',
        '\n x',
        ' ',
        'é',
        'é',
        '🌍',
        ' 42',
        '7',
        '/',
        "'s",
        'un',
        'break',
        'able',
      ),
      fc.string({ maxLength: 6 }),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 400 }), fc.nat(50), (pieces, every) => {
        const delivered = new DeliveredText(count)
        pieces.forEach((text, index) => {
          delivered.add(text)
          if (index % (every + 1) === 0) delivered.tokens()
        })
        const whole = exact(pieces.join(''))
        expect(delivered.tokens()).toBe(whole)
        expect(delivered.atMost()).toBeGreaterThanOrEqual(whole)
      }),
      { numRuns: 60 },
    )
  })

  it('of a prompt is never above the bound that holds are made of', async () => {
    const content = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constant(null),
      fc.array(fc.record({ type: fc.constant('text'), text: fc.string() })),
    )
    const message = fc.record({ role: fc.constantFrom('system', 'user', 'assistant', 'tool'), content })
    await fc.assert(
      fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 8 }), fc.boolean(), async (messages, withTools) => {
        const tools = withTools ? [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }] : null
        const request = parseChatRequest({ model: 'm', messages, tools }, defaultChatLimits)
        const size = promptSize(request)
        const counted = await countPrompt(request, 'o200k_base')
        expect(counted).toBeLessThanOrEqual(size.atMost)
        expect(counted).toBeGreaterThanOrEqual(size.atLeast)
      }),
      { numRuns: 60 },
    )
  })
})

describe('reported usage', () => {
  const tokens = (usage: unknown) => readUsage(usage)?.tokens ?? null

  it('keeps cached tokens apart, wherever the provider puts them, never more than the prompt', () => {
    const counts = { prompt_tokens: 100, completion_tokens: 5 }
    const buckets = { input: 60, cachedInput: 40, output: 5 }
    expect(tokens({ ...counts, prompt_tokens_details: { cached_tokens: 40 } })).toEqual(buckets)
    expect(tokens({ ...counts, prompt_cache_hit_tokens: 40 })).toEqual(buckets)
    expect(tokens({ ...counts, cached_tokens: 40 })).toEqual(buckets)
    expect(tokens({ ...counts, cached_tokens: 400 })).toEqual({ input: 0, cachedInput: 100, output: 5 })
    expect(tokens({ ...counts, prompt_tokens_details: null, cached_tokens: -1 })).toEqual({
      input: 100,
      cachedInput: 0,
      output: 5,
    })
  })

  it('has reasoning tokens that the completion tokens leave out, and not twice those they contain', () => {
    const counts = { prompt_tokens: 10, completion_tokens: 5, completion_tokens_details: { reasoning_tokens: 3 } }
    expect(tokens({ ...counts, total_tokens: 18 })?.output).toBe(8)
    expect(tokens({ ...counts, total_tokens: 15 })?.output).toBe(5)
  })

  it.each([
    null,
    5,
    {},
    { prompt_tokens: 1 },
    { prompt_tokens: -1, completion_tokens: 1 },
    { prompt_tokens: '1', completion_tokens: 1 },
    { prompt_tokens: 1.5, completion_tokens: 1 },
    { prompt_tokens: 1e18, completion_tokens: 1 },
  ])('is no usage when it is %j', (usage) => expect(tokens(usage)).toBeNull())

  it('is taken out of the answer, all copies of it', () => {
    const answer = {
      usage: { prompt_tokens: 1, completion_tokens: 2 },
      x_groq: { id: 1, usage: { prompt_tokens: 9, completion_tokens: 9 } },
      choices: [{ usage: null }],
    }
    expect(takeUsage(answer)?.tokens).toEqual({ input: 1, cachedInput: 0, output: 2 })
    expect(answer).toEqual({ x_groq: { id: 1 }, choices: [{}] })
  })
})
