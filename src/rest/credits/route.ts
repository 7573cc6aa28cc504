/** GET /v1/credits: the caller's money. */
import { RestCreditsDocument } from '../../generated/operations.js'
import type { RestEdge, RouteHandler } from '../../edge/route.js'
import { whole } from '../../edge/execute.js'
import { sendJson } from '../../edge/responses.js'

export const readCredits =
  ({ graph }: RestEdge): RouteHandler =>
  async (_request, response, context) => {
    const { viewer } = whole(await graph.execute(RestCreditsDocument, {}, context))
    sendJson(response, 200, {
      object: 'credits',
      balance: viewer.balance,
      held: viewer.held,
      available: viewer.available,
      monthly_cap: viewer.monthlyCap,
      spent_this_month: viewer.spentThisMonth,
    })
  }
