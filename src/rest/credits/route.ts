/** GET /v1/credits: the caller's money. */
import type { z } from 'zod'
import { RestCreditsDocument } from '../../generated/operations.js'
import { snakeNamed } from '../../edge/names.js'
import { whole } from '../../edge/execute.js'
import { sendJson } from '../../edge/responses.js'
import { restEndpoint } from '../rest-endpoint.js'
import { credits } from './output.js'

export const readCredits = restEndpoint({
  method: 'get',
  path: '/v1/credits',
  operationId: 'readCredits',
  tag: 'account',
  summary: "Shows the credits of the key's account.",
  input: {},
  answers: { 200: { description: 'The credits in US dollars.', body: credits } },
  handle:
    ({ graph }) =>
    async (_input, response, context) => {
      const { viewer } = whole(await graph.execute(RestCreditsDocument, {}, context))
      const body: z.output<typeof credits> = { object: 'credits', ...snakeNamed(viewer) }
      sendJson(response, 200, body)
    },
})
