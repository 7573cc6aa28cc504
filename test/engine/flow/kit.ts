/**
 * A rulebook with one source, a sink of each of four kinds and one sanitizer for every language, to test the engine apart from the shipped
 * rules. What languages call their collections and tests is that of the shipped packs.
 */
import { scanFile, type RawFinding } from '../../../subgraphs/compliance/engine/analyzer/scan-file.js'
import { type Language, languages } from '../../../subgraphs/compliance/engine/languages.js'
import { compileRulebook, type Rulebook } from '../../../subgraphs/compliance/engine/rulebook/compile.js'
import { loadPacks } from '../../../subgraphs/compliance/engine/rulebook/load.js'
import { packSchema } from '../../../subgraphs/compliance/engine/rulebook/model-schema.js'
import { type Rule, ruleSchema } from '../../../subgraphs/compliance/engine/rulebook/schema.js'

const pack = packSchema.parse({
  pack: 'test',
  languages: [...languages],
  sources: [
    { call: ['source', '**.source'], label: 'remote' },
    { read: ['$SOURCE', 'SOURCE', '*.SOURCE'], label: 'remote' },
    { call: ['fill'], to: [0], label: 'remote' },
  ],
  sinks: [
    { kind: 'test', call: ['sink', '**.sink', 'sink!'], argument: 'all' },
    { kind: 'test', set: ['*.dangerous'] },
    { kind: 'test', call: ['freesink', 'freesink!'] },
    { kind: 'test', call: ['built_sink', '**.built_sink', 'built_sink!'], built: true },
    { kind: 'test', call: ['joined_sink', '**.joined_sink', 'joined_sink!'], args: { 0: { concat: true } } },
    { kind: 'test', call: ['remote_sink', '**.remote_sink', 'remote_sink!'], args: { 0: { tainted: ['remote'] } } },
    { kind: 'test', call: ['host_sink', '**.host_sink', 'host_sink!'], safe_prefix: '^https://[^/]+/' },
    { kind: 'test', call: ['mode_sink', '**.mode_sink', 'mode_sink!'], argument: 1, args: { 0: { is: 'raw' } } },
    { kind: 'test', call: ['bare_sink', '**.bare_sink', 'bare_sink!'], behind: '= ?$' },
    { kind: 'test', call: ['**.$*'], argument: 'callee' },
    { kind: 'path', call: ['psink', '**.psink'] },
    { kind: 'redirect', call: ['rsink', '**.rsink'] },
    { kind: 'html', call: ['hsink', '**.hsink'] },
  ],
  sanitizers: [{ call: ['clean', '**.clean'], kinds: ['test'] }],
  propagators: [
    { call: ['format!', 'String.format', 'fmt.Sprintf'], as: 'format' },
    {
      call: ['**.{join,joined,mkString,joinToString}', '{strings,String}.{Join,join}', 'implode'],
      from: ['receiver', 'all'],
      as: 'format',
    },
  ],
})

const ruleOf = (kind: string): Rule =>
  ruleSchema.parse({
    id: `test-flow-${kind}`,
    title: 'Source reaches sink',
    cwe: [20],
    category: 'test',
    severity: 'high',
    languages: [...languages],
    taint: { kind, from: { remote: 'high' } },
    message: 'A source reaches a sink in this test.',
    suggestion: 'Clean the value first.',
    examples: { bad: ['x'], good: ['x'] },
  })
const rules = ['test', 'path', 'redirect', 'html'].map(ruleOf)

/** The shipped packs without their sources and sinks; of what passes data on, only what knows the groups of a pattern. */
export const wordPacks = loadPacks().map(({ pack: name, languages: of, words, propagators }) =>
  packSchema.parse({ pack: name, languages: of, words, propagators: propagators.filter((one) => one.captures !== undefined) }),
)

const books = new Map<Language, Rulebook>()

async function findingsOf(language: Language, code: string): Promise<readonly RawFinding[]> {
  let book = books.get(language)
  if (book === undefined) books.set(language, (book = compileRulebook(language, rules, [pack, ...wordPacks])))
  return (await scanFile(book, code, language, 'main', { maxSteps: 300_000, timeoutMs: 60_000 })).findings
}

/** The lines on which the sink is reached. */
export const reachedLines = async (language: Language, code: string): Promise<number[]> =>
  (await findingsOf(language, code)).map((finding) => finding.line)

/** The way of the data of every finding. */
export const flowsOf = async (language: Language, code: string): Promise<RawFinding['flow'][]> =>
  (await findingsOf(language, code)).map((finding) => finding.flow)
