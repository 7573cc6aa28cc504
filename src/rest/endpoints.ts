/** The routes of /v1 in the order of the OpenAPI description. */
import type { ChatEdge } from './chat-completions/route.js'
import { chatCompletions } from './chat-completions/route.js'
import { readCredits } from './credits/route.js'
import { gpuEndpoints } from './gpu/route.js'
import { messagesEndpoints } from './messages/route.js'
import { modelEndpoints } from './models/route.js'
import { pricingEndpoints } from './pricing/route.js'
import { responsesEndpoints } from './responses/route.js'
import type { RestEndpoint } from './rest-endpoint.js'

export const restEndpoints: readonly RestEndpoint<ChatEdge>[] = [
  chatCompletions,
  ...responsesEndpoints,
  ...messagesEndpoints,
  ...modelEndpoints,
  ...pricingEndpoints,
  readCredits,
  ...gpuEndpoints,
]
