/** What several edges select of rentals and offers is what REST promises: a field in one of the two only would be missed by readers. */
import { Kind, type DocumentNode } from 'graphql'
import { expect, it } from 'vitest'
import { snakeNamed } from '../../src/edge/names.js'
import { OfferFieldsFragmentDoc, RentalFieldsFragmentDoc } from '../../src/generated/operations.js'
import { gpuOfferList, rental } from '../../src/rest/gpu/output.js'

const selected = ({ definitions }: DocumentNode): string[] => {
  const [fragment] = definitions
  const selections = fragment?.kind === Kind.FRAGMENT_DEFINITION ? fragment.selectionSet.selections : []
  return selections.flatMap((selection) => (selection.kind === Kind.FIELD ? [selection.name.value] : []))
}

const inRest = (fields: readonly string[]): string[] =>
  Object.keys(snakeNamed(Object.fromEntries(fields.map((field) => [field, null]))))

it('REST describes every field of a rental that is selected, and no other', () => {
  const fields = inRest(selected(RentalFieldsFragmentDoc)).map((name) => (name === 'id' ? 'rental_id' : name))
  expect(['object', ...fields].toSorted()).toEqual(Object.keys(rental.shape).toSorted())
})

it('REST describes every field of an offer that is selected, and no other', () => {
  const offer = gpuOfferList.shape.data.element
  expect(inRest(selected(OfferFieldsFragmentDoc)).toSorted()).toEqual(Object.keys(offer.shape).toSorted())
})
