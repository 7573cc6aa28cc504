/** How often the analysis of memory says the same. */
import { afterAll, expect, it } from 'vitest'
import { createScanner } from '../../subgraphs/compliance/engine/index.js'
import { ManualClock } from '../kit/manual-clock.js'

const scanner = createScanner({ analyzers: 1, clock: new ManualClock() })
afterAll(() => scanner.close())

it('an allocation that nobody checked is one finding, wherever it is used', async () => {
  const code = `char *join(const char *a, const char *b, size_t n, size_t m) {
  char *whole = malloc(n + m + 1);
  if (a != NULL)
    memcpy(whole, a, n);
  if (b != NULL)
    memcpy(whole + n, b, m);
  whole[n + m] = 0;
  return whole;
}
char *one(void) { char *p = malloc(1); p[0] = 0; return p; }
`
  const [result] = await scanner.scan([{ code, language: 'c' }])
  expect(result?.violations.map(({ ruleId, line }) => `${ruleId} ${line}`)).toEqual([
    'c-unchecked-allocation 4',
    'c-unchecked-allocation 10',
  ])
})
