/**
 * Starts the files that take longest before all others, so that the workers end together. vitest remembers how long a file took,
 * but on a clean checkout it knows only how large they are.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Those that take several seconds and are no large files; one that is missing here costs time, nothing else. */
const LONGEST = [
  'examples/readme',
  'cli/scan',
  'contract/chats/large-bodies',
  'cli/first-minutes',
  'cli/prices',
  'cli/cli',
  'cli/rentals',
  'engine/rules/rule-examples',
  'contract/arbitrary-text',
  'accounts/ledger/budget-periods',
  'cli/serve',
  'accounts/ledger/model',
  'accounts/ledger/faults',
  'accounts/ledger/fold',
  'contract/gpu',
  'engine/robustness',
  'modes/equivalence',
  'compute/sessions.property',
  'cli/doctor',
  'mcp/mcp-stdio',
  'mcp/inspector',
  'contract/scans/scan-fairness',
  'engine/growth',
  'engine/stability',
  'graph/graphiql.browser',
  'contract/chats/overspend-and-abort',
]

const rank = ({ moduleId }: TestSpecification): number => {
  const place = LONGEST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`))
  return place === -1 ? LONGEST.length : place
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other))
  }
}
