/**
 * A very small text model of our own: it answers the last user message in plain sentences, the same way for the same prompt
 * and seed. It knows a few things exactly (greetings, sums, echoing, counting, lists), takes up the words of the prompt
 * elsewhere, and says that it is a sandbox when asked what it is. It is there so that a first request works with no key and
 * no network, not to be clever.
 */
import { createHash } from 'node:crypto'

/** A generator of numbers in [0, 1) that is fixed by its seed. */
export type Random = () => number

export function randomFrom(seed: string): Random {
  let state = createHash('sha256').update(seed).digest().readUInt32LE(0)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const pick = <T>(random: Random, items: readonly T[]): T => items[Math.floor(random() * items.length)]!

/** The answer to a prompt. `minimumWords` asks for a longer one, which is filled with further paragraphs on the same words. */
export function answerTo(prompt: string, random: Random, minimumWords = 0): string {
  const answer = exactAnswer(prompt, random) ?? answerAbout(topicOf(prompt), random)
  const paragraphs = [answer]
  while (wordCount(paragraphs) < minimumWords) paragraphs.push(paragraphAbout(topicOf(prompt), random))
  return paragraphs.join('\n\n')
}

const wordCount = (paragraphs: readonly string[]): number =>
  paragraphs.reduce((sum, paragraph) => sum + paragraph.split(' ').length, 0)

/** Requests that have one right answer, or nearly. */
function exactAnswer(prompt: string, random: Random): string | null {
  const text = prompt.trim()
  if (text === '') return 'You sent an empty message. What can I do for you?'
  const echo =
    /^(?:please\s+)?(?:say|repeat|echo|reply with|respond with|answer with)(?:\s+(?:exactly|only|just|the words?|the text))*\s*:?\s+["'“]?(.+?)["'”]?\s*$/is.exec(
      text,
    )
  if (echo) return echo[1]!.replace(/["'”.]$/, '')
  const sum = /(-?\d{1,9}(?:\.\d{1,6})?)\s*(\+|-|\*|x|×|\/|÷|plus|minus|times|divided by)\s*(-?\d{1,9}(?:\.\d{1,6})?)/i.exec(text)
  if (sum && text.length < 120) return calculate(sum[1]!, sum[2]!.toLowerCase(), sum[3]!)
  const count = /count (?:from (\d{1,4}) )?(?:up )?to (\d{1,4})/i.exec(text)
  if (count) return countUp(Number(count[1] ?? 1), Number(count[2]))
  if (/\b(?:who|what) are you\b|\bwhat model\b|\byour name\b/i.test(text)) {
    return 'I am the sandbox model of this gateway: a small deterministic text model that needs no key and no network. Configure a provider to talk to a real model.'
  }
  if (/^(?:hi|hello|hey|good (?:morning|evening|afternoon)|greetings)\b/i.test(text) && text.length < 60) {
    return pick(random, [
      'Hello! How can I help you today?',
      'Hi there! What would you like to know?',
      'Hello! What shall we look at?',
    ])
  }
  if (/^(?:thanks|thank you)\b/i.test(text)) return 'You are welcome! Is there anything else?'
  return listAnswer(text, random)
}

function calculate(left: string, operator: string, right: string): string {
  const a = Number(left)
  const b = Number(right)
  if ((operator === '/' || operator === '÷' || operator === 'divided by') && b === 0) return 'A division by zero has no result.'
  const results: Record<string, number> = {
    '+': a + b,
    plus: a + b,
    '-': a - b,
    minus: a - b,
    '*': a * b,
    x: a * b,
    '×': a * b,
    times: a * b,
    '/': a / b,
    '÷': a / b,
    'divided by': a / b,
  }
  const result = results[operator] ?? Number.NaN
  return `${left} ${operator} ${right} = ${Number.isInteger(result) ? result : Number(result.toFixed(6))}`
}

function countUp(from: number, to: number): string {
  const numbers = Array.from({ length: Math.min(2_000, Math.abs(to - from) + 1) }, (_, i) => from + (to >= from ? i : -i))
  return numbers.join(', ')
}

function listAnswer(text: string, random: Random): string | null {
  const list =
    /\b(?:list|name|give me|write)\s+(\d{1,2}|two|three|four|five|six|seven|eight|nine|ten)\s+([a-z][a-z -]{2,60})/i.exec(text)
  if (!list) return null
  const words = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
  const length = Math.min(50, Number(list[1]) || words.indexOf(list[1]!.toLowerCase()))
  if (length < 1) return null
  const subject = list[2]!.trim()
  const items = Array.from({ length }, (_, i) => `${i + 1}. ${pick(random, ORDINARY)} ${pick(random, ASPECTS)}`)
  return `Here are ${length} ${subject}:\n\n${items.join('\n')}`
}

const STOP_WORDS = new Set(
  'a an the and or but of to in on at for with from by as is are was were be been do does did can could would should will shall may might must have has had what which who whom whose when where why how i you he she it we they me him her us them my your his its our their this that these those there here not no yes please tell explain describe write about give make some any so if then than too very just more most much many one'.split(
    ' ',
  ),
)

/** The words that a prompt is about, in their order, at most four. */
function topicOf(prompt: string): string {
  const words = prompt.slice(0, 4_000).match(/[\p{L}\p{N}][\p{L}\p{N}'-]*/gu) ?? []
  const content = words.filter((word) => word.length > 2 && !STOP_WORDS.has(word.toLowerCase()))
  const topic = [...new Set(content)].slice(0, 4).join(' ')
  return topic === '' ? 'your question' : topic
}

const ORDINARY = ['A clear', 'A simple', 'A careful', 'A small', 'A useful', 'An early', 'A steady', 'A practical'] as const
const ASPECTS = ['purpose', 'example', 'first step', 'comparison', 'limit', 'question', 'measure', 'habit', 'summary'] as const

const OPENINGS = [
  (topic: string) => `In short, ${topic} is easiest to understand by looking at what it is for.`,
  (topic: string) => `There are two sides to ${topic}: what it promises, and what it costs.`,
  (topic: string) => `Let us take ${topic} step by step.`,
  (topic: string) => `A good way into ${topic} is a small example.`,
] as const

const MIDDLES = [
  'Start with the part that you can check yourself, and write down what you expect before you try it.',
  'Most of the difficulty lies in the details that nobody mentions, so name them early.',
  'What matters is the order: first the goal, then the limits, then the means.',
  'If two explanations fit, prefer the one that is easier to prove wrong.',
  'Compare it with something familiar, and note where the comparison breaks down.',
] as const

const CLOSINGS = [
  'With that, the rest follows, and you can go deeper where you need to.',
  'That is usually enough to decide what to do next.',
  'From here, a concrete case would help to say more.',
] as const

function answerAbout(topic: string, random: Random): string {
  return `${pick(random, OPENINGS)(topic)} ${pick(random, MIDDLES)} ${pick(random, CLOSINGS)}`
}

function paragraphAbout(topic: string, random: Random): string {
  const start = Math.floor(random() * MIDDLES.length)
  const middle = MIDDLES.map((_, i) => MIDDLES[(start + i) % MIDDLES.length]!).slice(0, 3)
  return `${pick(random, OPENINGS)(topic)} ${middle.join(' ')} ${pick(random, CLOSINGS)}`
}
