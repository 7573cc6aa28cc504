/** A conversation is a tree of which one path is shown. */
import { expect, it } from 'vitest'
import {
  EMPTY_TREE,
  pathOf,
  without,
  withMessage,
  withSibling,
  type Message,
  type Tree,
} from '../../src/console/play/chat/conversation.js'

const message = (id: string, parent: string | null): Message => ({ id, parent, role: 'USER', content: id })
const shown = (tree: Tree) => pathOf(tree).map(({ id }) => id)

const BRANCHED = [message('a', null), message('b', 'a'), message('c', 'b'), message('B', 'a')].reduce(withMessage, EMPTY_TREE)

it('what is said instead of something opens a branch that is shown, and the other one stays', () => {
  expect(shown(BRANCHED)).toEqual(['a', 'B'])
  const back = withSibling(BRANCHED, message('B', 'a'), -1)
  expect(shown(back)).toEqual(['a', 'b', 'c'])
  expect(shown(withSibling(back, message('b', 'a'), -1))).toEqual(['a', 'b', 'c'])
})

it('a message is deleted with all that follows it, and another branch is shown in its place', () => {
  expect(shown(without(BRANCHED, 'B'))).toEqual(['a', 'b', 'c'])
  const left = without(BRANCHED, 'b')
  expect(left.messages.map(({ id }) => id)).toEqual(['a', 'B'])
  expect(without(BRANCHED, 'a')).toEqual(EMPTY_TREE)
})
