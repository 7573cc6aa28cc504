/** The sandbox: a provider of ours that answers while no real one is configured, and GPU machines that cost nothing. */
import { resolve } from 'node:path'
import type { Clock } from '#platform/clock.js'
import type { Logger } from '#platform/log.js'
import { liveProviderCount, type SandboxProvider } from '../../subgraphs/catalog/index.js'
import { createDrivers, DriverConfig, type GpuDriver } from '../../subgraphs/compute/index.js'
import { sandboxServerPath, startSandbox, type Sandbox } from '../../subgraphs/inference/index.js'
import type { Config } from '../config/config.js'
import type { BackgroundWork } from './subgraph-names.js'
import { catalogOptions } from './subgraphs.js'

const SANDBOX_PROVIDER_ID = 'sandbox'

interface OpenedSandbox {
  readonly provider: SandboxProvider
  /** Null where another process of the installation runs it. */
  readonly process: Sandbox | null
}

export interface SandboxOptions {
  readonly work: BackgroundWork
  readonly clock: Clock
  readonly log: Logger
}

/** Null where the configuration does not want it. */
export async function openSandbox(config: Config, { work, clock, log }: SandboxOptions): Promise<OpenedSandbox | null> {
  const isWanted = config.sandbox === 'auto' ? liveProviderCount(catalogOptions(config)) === 0 : config.sandbox
  if (!isWanted) return null
  if (!work.has('inference')) {
    return { provider: { providerId: SANDBOX_PROVIDER_ID, baseUrl: 'http://127.0.0.1:9/v1', apiKey: null }, process: null }
  }
  const sandbox = await startSandbox({
    providerId: SANDBOX_PROVIDER_ID,
    models: [],
    tokensPerSecond: config.sandbox_tokens_per_second,
    clock,
    onExit: (exit) => log.warn(exit, 'the sandbox provider ended and is started again'),
  })
  const { baseUrl, apiKey } = sandbox.provider
  return { provider: { providerId: SANDBOX_PROVIDER_ID, baseUrl, apiKey }, process: sandbox }
}

/** The GPU drivers that the configuration names; the sandbox's while the sandbox answers and nothing is named. */
export function openDrivers(config: Config, clock: Clock, isSandboxed: boolean): GpuDriver[] {
  const configs = config.compute.drivers ?? (isSandboxed ? [DriverConfig.parse({ type: 'sandbox' })] : [])
  return createDrivers(configs, {
    clock,
    stateFolder: resolve(config.workingDirectory, 'data', 'instances'),
    variables: config.environment,
    sandboxServerPath: sandboxServerPath(),
  })
}
