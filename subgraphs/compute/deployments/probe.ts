/** Asks a served endpoint for one token with the session's own key: the only proof that our instance serves our model. */
import { request } from 'undici'
import type { Probe } from '../reconciler/perform.js'

export const probeEndpoint: Probe = async ({ url, key, modelId }, signal) => {
  const ask = async (bearer: string): Promise<number> => {
    const { statusCode, body } = await request(`${url}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${bearer}` },
      body: JSON.stringify({ model: modelId, messages: [{ role: 'user', content: 'ping' }], max_tokens: 1 }),
      signal,
    })
    await body.dump()
    return statusCode
  }
  return (await ask(key)) === 200
}
