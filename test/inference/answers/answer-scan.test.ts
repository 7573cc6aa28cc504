/** What becomes of an answer whose code is looked at, whatever the scanner does: nothing is lost, and nothing withheld gets out. */
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AnswerScanMode } from '#platform/vocabulary/words.js'
import {
  ChatCodeFindings,
  ChatCompletion,
  ChatCompletionChunk,
  ModelDeploying,
  type AnswerCode,
} from '../../../subgraphs/inference/index.js'
import { answers, streams, wholeJson } from '../../kit/fake-provider-scenes.js'
import { startFakeProvider } from '../../kit/fake-provider.js'
import { body, candidate, chatKit, collect, contextFor } from '../chat-kit.js'

type Verdict = 'fine' | 'weak' | 'unreadable' | 'broken' | 'unknown'

/** Says of each block what stands in its first line. */
const scanner: AnswerCode = {
  checkStandards: () => undefined,
  async scan({ code }) {
    const verdict = code.trim() as Verdict
    if (verdict === 'broken') throw new Error('The analyzer is gone.')
    const violations = verdict === 'weak' ? [{ line: 1, rule: 'weak' }] : []
    const isFailed = verdict === 'unreadable'
    return {
      status: isFailed ? 'failed' : 'complete',
      message: isFailed ? 'Too deep.' : null,
      isRead: verdict !== 'unknown',
      language: 'python',
      violations,
    }
  },
}

const part = fc.oneof(
  fc
    .constantFrom<Verdict>('fine', 'weak', 'unreadable', 'broken', 'unknown')
    .map((verdict) => ({ verdict, text: `\`\`\`py\n${verdict}\n\`\`\`\n` })),
  fc.stringMatching(/^[a-z .]{1,20}$/).map((words) => ({ verdict: null, text: `${words}\n` })),
)
const answer = fc.record({ parts: fc.array(part, { minLength: 1, maxLength: 6 }), size: fc.integer({ min: 1, max: 40 }) })

const isBad = (verdict: Verdict | null) => verdict === 'weak' || verdict === 'unreadable' || verdict === 'broken'
const textOf = (parts: readonly { readonly text: string }[]) => parts.map(({ text }) => text).join('')

const contextWith = (mode: AnswerScanMode) => {
  const context = contextFor()
  return { ...context, principal: { ...context.principal!, answerScan: { mode, standards: [], minSeverity: 'low' as const } } }
}

interface Scanned {
  readonly sluice?: { readonly scan: { readonly status: string; readonly blocked?: true; readonly findings: readonly object[] } }
}

async function streamed({ parts, size }: { parts: readonly { text: string }[]; size: number }, mode: AnswerScanMode) {
  const pieces = textOf(parts).match(new RegExp(`[\\s\\S]{1,${size}}`, 'g'))!
  await using provider = await startFakeProvider(streams({ pieces }))
  await using kit = chatKit({ deployments: [candidate(provider.baseUrl)], answerCode: scanner, limits: { answerScanMs: 10_000 } })
  const collected = await collect((await kit.chat.stream(body({ stream: true }), contextWith(mode))) as never)
  const finish = collected.chunks.map((chunk) => chunk.choices?.[0]?.finish_reason).filter((end) => end != null)
  return { ...collected, finish, scan: (collected.chunks.at(-1) as Scanned).sluice!.scan, usage: kit.ledger.usage[0]! }
}

describe('code in answers', () => {
  it('never keeps a streamed answer from a caller who wants to be told', async () => {
    await fc.assert(
      fc.asyncProperty(answer, async (given) => {
        const { text, finish, scan, usage } = await streamed(given, 'report')
        const verdicts = given.parts.map(({ verdict }) => verdict)
        expect([text, finish]).toEqual([textOf(given.parts), ['stop']])
        expect(scan.findings).toHaveLength(verdicts.filter((verdict) => verdict === 'weak').length)
        expect(scan.status).toBe(
          verdicts.some((verdict) => verdict === 'broken' || verdict === 'unreadable') ? 'failed' : 'complete',
        )
        expect([usage.codeFindings, usage.endedAs]).toEqual([scan.findings.length, 'completed'])
      }),
      { numRuns: 40 },
    )
  })

  it('ends a stream behind the first block that is weak or could not be looked at, for a key that withholds it', async () => {
    await fc.assert(
      fc.asyncProperty(answer, async (given) => {
        const { text, finish, scan, usage } = await streamed(given, 'block')
        const bad = given.parts.findIndex(({ verdict }) => isBad(verdict))
        if (bad < 0) {
          expect([text, finish, scan.blocked, usage.endedAs]).toEqual([textOf(given.parts), ['stop'], undefined, 'completed'])
          return
        }
        const upToBad = textOf(given.parts.slice(0, bad + 1))
        expect([finish, scan.blocked, usage.endedAs]).toEqual([['content_filter'], true, 'blocked'])
        // Behind the block there is at most the rest of the provider's chunk that held its end.
        expect(text.startsWith(upToBad.slice(0, -1))).toBe(true)
        expect(text.length).toBeLessThan(upToBad.length + given.size)
      }),
      { numRuns: 40 },
    )
  })

  it('ends behind that block also where the reader comes when it has long been looked at', async () => {
    const pieces = ['```py\nweak\n```\n', 'and ', 'so ', 'on']
    await using provider = await startFakeProvider(streams({ pieces }))
    await using kit = chatKit({ deployments: [candidate(provider.baseUrl)], answerCode: scanner })
    const stream = await kit.chat.stream(body({ stream: true }), contextWith('block'))
    if (stream instanceof ModelDeploying) throw new Error('deploying')
    let said = ''
    for await (const event of stream) {
      if (!(event instanceof ChatCompletionChunk)) throw new Error('no chunk')
      said += event.choices[0]?.delta.content ?? ''
      // All of the answer is there, and the block has been looked at, before the reader asks for more.
      for (let turn = 0; turn < 50; turn++) await setImmediate()
    }
    expect(said).toBe(pieces[0])
    expect(kit.ledger.usage[0]!.endedAs).toBe('blocked')
  })

  it.each([true, false])(
    'tells of a block behind the answer where its scan takes longer, unless the reader leaves (%s)',
    async (stays) => {
      const { promise: looked, resolve: look } = Promise.withResolvers<void>()
      const slow: AnswerCode = { ...scanner, scan: (...asked) => looked.then(() => scanner.scan(...asked)) }
      await using provider = await startFakeProvider(streams({ pieces: ['```py\nweak\n```\n'] }))
      await using kit = chatKit({ deployments: [candidate(provider.baseUrl)], answerCode: slow, limits: { answerScanMs: 1 } })
      const stream = await kit.chat.stream(body({ stream: true }), contextFor(), 'events', { scan: [] })
      if (stream instanceof ModelDeploying) throw new Error('deploying')
      let last: object = {}
      while (!('endsAnswer' in last && last.endsAnswer === true)) last = (await stream.next()).value as object
      const next = stream.next()
      if (stays) look()
      else await stream.return!()
      const { done, value } = await next
      expect([done, value instanceof ChatCodeFindings && value.findings.length]).toEqual(stays ? [false, 1] : [true, false])
      expect(await stream.next()).toEqual({ done: true, value: undefined })
      look()
    },
  )

  it('leaves weak blocks out of a whole answer, and nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(answer, async ({ parts }) => {
        await using provider = await startFakeProvider(answers(wholeJson(textOf(parts))))
        await using kit = chatKit({ deployments: [candidate(provider.baseUrl)], answerCode: scanner })
        const completion = await kit.chat.complete(body(), contextWith('block'))
        if (!(completion instanceof ChatCompletion)) throw new Error('deploying')
        const notice = '[This code was withheld: it breaks rules that this API key demands. See sluice.scan.]'
        const kept = parts.map(({ verdict, text }) => ({ text: isBad(verdict) ? text.replace(verdict, notice) : text }))
        expect(completion.texts).toEqual([textOf(kept)])
        expect(completion.choices[0]!.finishReason).toBe(parts.some(({ verdict }) => isBad(verdict)) ? 'content_filter' : 'stop')
      }),
      { numRuns: 40 },
    )
  })
})
