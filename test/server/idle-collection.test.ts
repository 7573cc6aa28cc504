/** The one collection after a start waits until nobody waits for an answer. */
import { expect, it } from 'vitest'
import { collectWhenIdle } from '../../src/server/idle-collection.js'
import { ManualClock } from '../kit/manual-clock.js'

function watched(open: number) {
  const clock = new ManualClock()
  const requests = { size: open, opened: open }
  let collections = 0
  const callOff = collectWhenIdle(requests, clock, () => collections++)
  return { clock, requests, callOff, collections: () => collections }
}

it('collects once, after a quiet start', async () => {
  const { clock, collections } = watched(0)
  expect(collections()).toBe(0)
  await clock.advance(100)
  expect(collections()).toBe(1)
  await clock.advance(60_000)
  expect(collections()).toBe(1)
})

it('does not collect while a request is open', async () => {
  const { clock, requests, collections } = watched(1)
  await clock.advance(5_000)
  expect(collections()).toBe(0)
  requests.size = 0
  await clock.advance(100)
  expect(collections()).toBe(1)
})

it('does not collect between requests that follow each other', async () => {
  const { clock, requests, collections } = watched(0)
  for (let ms = 0; ms < 5_000; ms += 100) {
    requests.opened += 1
    await clock.advance(100)
  }
  expect(collections()).toBe(0)
  await clock.advance(500)
  expect(collections()).toBe(1)
})

it('does not collect in a server that has been busy since its start', async () => {
  const { clock, requests, collections } = watched(0)
  for (let ms = 0; ms < 11_000; ms += 100) {
    requests.opened += 1
    await clock.advance(100)
  }
  await clock.advance(60_000)
  expect(collections()).toBe(0)
})

it('does not collect what many requests have compiled, however quiet it is afterwards', async () => {
  const { clock, requests, collections } = watched(0)
  requests.opened += 500
  await clock.advance(60_000)
  expect(collections()).toBe(0)
})

it('does not collect in a server that has stopped', async () => {
  const { clock, callOff, collections } = watched(0)
  callOff()
  await clock.advance(20_000)
  expect(collections()).toBe(0)
})
