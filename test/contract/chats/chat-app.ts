/** A server in front of one fake provider, with a model whose prices make charges easy to work out by hand. */
import { FakeProvider } from '../../kit/fake-provider.js'
import type { Scene } from '../../kit/fake-provider-scenes.js'
import { startTestApp, type TestApp, type TestAppOptions } from '../../kit/app.js'

/** 1 nano-USD per input token and 2 per output token. */
export const PRICE = { input_price_per_million: '0.001', output_price_per_million: '0.002' }

export interface ChatApp {
  readonly app: TestApp
  readonly provider: FakeProvider
  stop(): Promise<void>
}

/** Models are named after their scene at the provider: `model: "x"` plays the scene "x". */
export async function startChatApp(
  scenes: Record<string, Scene>,
  more: NonNullable<TestAppOptions['config']> = {},
  models: readonly object[] = [],
  { providers = [], ...options }: Pick<TestAppOptions, 'isOfOneServer' | 'env'> & { readonly providers?: readonly object[] } = {},
): Promise<ChatApp> {
  const [first] = Object.values(scenes)
  const provider = await FakeProvider.start(first!)
  for (const [name, scene] of Object.entries(scenes)) provider.scenes.set(name, scene)
  const app = await startTestApp({
    ...options,
    config: {
      providers: [{ id: 'p1', name: 'Fake', base_url: provider.baseUrl, api_key: 'provider-key' }, ...providers],
      models: [
        ...Object.keys(scenes).map((id) => ({
          id,
          owned_by: 'test',
          tier: 'light',
          context_window: 8192,
          max_output_tokens: 1000,
          deployments: [{ provider: 'p1', model_id: id, ...PRICE }],
        })),
        { id: 'unpriced', owned_by: 'test', deployments: [{ provider: 'p1', model_id: 'unpriced' }] },
        ...models,
      ],
      ...more,
    },
  })
  return {
    app,
    provider,
    async stop() {
      await app[Symbol.asyncDispose]()
      await provider.stop()
    },
  }
}

/** What one call was billed. */
export interface Billed {
  readonly api: string
  readonly modelId: string
  readonly inputTokens: number
  readonly cachedInputTokens: number
  readonly outputTokens: number
  readonly cost: string
}

/** The calls of an account, the oldest first. */
export async function billedTo(app: TestApp, key: string): Promise<readonly Billed[]> {
  const fields = 'api modelId inputTokens cachedInputTokens outputTokens cost'
  const query = `{ viewer { usage(sort: OLDEST) { nodes { ${fields} } } } }`
  const { viewer } = await app.graphql<{ viewer: { usage: { nodes: readonly Billed[] } } }>(query, {}, key)
  return viewer.usage.nodes
}

/** A decimal string of USD as whole nano-USD. */
export const nano = (usd: string): number => Math.round(Number(usd) * 1e9)
