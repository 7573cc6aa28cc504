/** Reading what callers send by its schema. */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { listOf, readInput } from '../../src/edge/input.js'
import { camelNamed, snakeNamed } from '../../src/edge/names.js'

describe('a list', () => {
  it('is read up to its first wrong item, however many a caller sends', () => {
    let looked = 0
    const item = z.unknown().refine((value) => {
      looked++
      return value !== 'wrong'
    }, 'is wrong.')
    const values = ['fine', 'wrong', ...Array.from({ length: 1_000 }, () => 'wrong')]
    expect(() => readInput(z.object({ list: listOf(item) }), { list: values })).toThrow('"list[1]" is wrong.')
    expect(looked).toBe(2)
  })

  it('names the field within the item', () => {
    const schema = z.object({ files: listOf(z.object({ code: z.string() })) })
    expect(() => readInput(schema, { files: [{ code: '' }, {}] })).toThrow('"files[1].code" is required.')
    expect(readInput(schema, { files: [{ code: 'x', more: 1 }] })).toEqual({ files: [{ code: 'x' }] })
  })
})

it('names of fields go to the other form and come back', () => {
  const fields = { gpu_model: 'L4', latency_p50_ms: 1, max_price_per_gpu_hour: null, spot: true }
  const camel = camelNamed(fields)
  expect(camel).toEqual({ gpuModel: 'L4', latencyP50Ms: 1, maxPricePerGpuHour: null, spot: true })
  expect(snakeNamed(camel)).toEqual(fields)
})
