/** Prices of a mix of tokens are exact, however small they are. */
import { expect, it } from 'vitest'
import { comparedModels } from '../../src/console/prices/mix.js'

const entry = (id: string, inputPerMillion: string, outputPerMillion: string, others: [string, string, boolean][] = []) => ({
  canonicalModelId: id,
  modelMeta: { displayName: id },
  ourPrice: { inputPerMillion, outputPerMillion, providerId: 'p' },
  competitors: others.map(([input, output, isSameModel]) => ({
    vendor: 'v',
    label: `${input} ${output}`,
    isSameModel,
    inputPerMillion: input,
    outputPerMillion: output,
    source: 's',
    date: '2026-01-01T00:00:00Z',
  })),
})

it('orders models by what the mix costs, which depends on the mix', () => {
  const entries = [entry('much input', '0.3', '0.1'), entry('much output', '0.1', '0.6')]
  expect(comparedModels(entries, 1).map(({ id, price }) => [id, price])).toEqual([
    ['much input', '0.200000000'],
    ['much output', '0.350000000'],
  ])
  expect(comparedModels(entries, 20).map(({ id, price }) => [id, price])).toEqual([
    ['much output', '0.123809524'],
    ['much input', '0.290476190'],
  ])
})

it('saves against the cheapest of the same model first, and says when ours is higher', () => {
  const [one] = comparedModels(
    [
      entry('m', '0.1', '0.2', [
        ['0.05', '0.05', false],
        ['0.2', '0.4', true],
        ['1000', '1000', true],
      ]),
    ],
    1,
  )
  expect(one?.saving).toEqual({ percent: '50.0', isSameModel: true })
  expect(one?.others.map(({ saving }) => saving)).toEqual(['50.0', '100.0', '-200.0'])
})
