/** Which documents are compared with themselves at length, and which only are long. */
import fc from 'fast-check'
import { parse } from 'graphql'
import { expect, it } from 'vitest'
import { mergingExcess } from '../../src/graph/merged-fields.js'

it('lets a document through that says much once, with the names that clients add everywhere', () => {
  const fields = Array.from({ length: 300 }, (_, index) => `f${index} { id __typename }`).join(' ')
  expect(mergingExcess(parse(`{ ${fields} __typename }`))).toBeNull()
  const fragments = Array.from({ length: 80 }, (_, index) => `fragment F${index} on A { id name __typename }`).join(' ')
  const spreads = Array.from({ length: 80 }, (_, index) => `...F${index}`).join(' ')
  expect(mergingExcess(parse(`{ a { ${spreads} } } ${fragments}`))).toBeNull()
})

it('counts each field with every other of its name at the same place, wherever it is written', () => {
  const place = fc.constantFrom(
    (fields: string) => ({ set: fields, fragments: '' }),
    (fields: string) => ({ set: `... { ${fields} }`, fragments: '' }),
    (fields: string, name: string) => ({ set: `...${name}`, fragments: `fragment ${name} on A { ${fields} }` }),
    (fields: string, name: string) => ({
      set: `...${name} ...${name}`,
      fragments: `fragment ${name} on A { ... { ${fields} } }`,
    }),
  )
  const pieces = fc.array(fc.tuple(fc.integer({ min: 1, max: 200 }), place), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(pieces, fc.boolean(), (all, isBelow) => {
      const written = all.map(([times, write], index) => write('id '.repeat(times), `F${index}`))
      const sets = isBelow ? written.map(({ set }) => `a { ${set} }`) : [`a { ${written.map(({ set }) => set).join(' ')} }`]
      const total = all.reduce((sum, [times]) => sum + times, 0)
      const excess = mergingExcess(parse(`{ ${sets.join(' ')} } ${written.map(({ fragments }) => fragments).join(' ')}`))
      const around = isBelow ? (all.length * (all.length - 1)) / 2 : 0
      expect(excess !== null).toBe((total * (total - 1)) / 2 + around > 50_000)
    }),
  )
})

it('counts fragments too: a long chain of them can be spread at many places', () => {
  const chain = Array.from({ length: 400 }, (_, index) => `fragment F${index} on A { ...F${index + 1} }`).join(' ')
  const places = Array.from({ length: 60 }, (_, index) => `f${index} { ...F0 }`).join(' ')
  expect(mergingExcess(parse(`{ ${places} } ${chain} fragment F400 on A { id }`))).toContain('more than 20000 selections')
})

it('ends with fragments that spread themselves, and with those that double', () => {
  expect(mergingExcess(parse('{ ...a } fragment a on A { a { ...a } b { ...a } }'))).toContain('more than 20000 selections')
  expect(mergingExcess(parse('{ ...a } fragment a on A { a { ...a } }'))).toBeNull()
})
