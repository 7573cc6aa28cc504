import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, it } from 'vitest'
import type { Principal } from '#platform/requests/context.js'
import { createContextSource } from '#platform/requests/request-context.js'
import { ManualClock } from '../kit/manual-clock.js'

it("a request's time starts when it arrives, however long its key is looked up", async () => {
  const clock = new ManualClock()
  const lookup = Promise.withResolvers<Principal | null>()
  const contexts = createContextSource({ authenticate: () => lookup.promise, clock })
  const request = new IncomingMessage(new Socket())
  request.headers.authorization = 'Bearer a-key'
  const arrivedAt = clock.monotonic()
  const opening = contexts.open(request, new ServerResponse(request), () => undefined)
  await clock.advance(4_000)
  lookup.resolve(null)
  expect((await opening).startedAt).toBe(arrivedAt)
})
