/** What chat completions need of GPU sessions: that a cold model is started, and a word to those that serve. */
import { endReason, serverStops } from '#platform/requests/end-reasons.js'
import { AppError } from '#platform/errors.js'
import type { Accounts } from '../../../subgraphs/accounts/index.js'
import type { Catalog } from '../../../subgraphs/catalog/index.js'
import type { Activity, Deployments } from '../../../subgraphs/compute/index.js'
import type { DeploymentUse, EnsureDeployment } from '../../../subgraphs/inference/index.js'

const NOBODY = (): void => undefined

/** Calls to a GPU session keep it from going idle; hosted deployments do not care. */
export const deploymentUse = (catalog: () => Catalog, activity: () => Activity): DeploymentUse => ({
  begin({ deploymentId, modelId }) {
    const isSession = catalog().deployment(deploymentId)?.provider.kind === 'session'
    return isSession ? activity().touch(modelId) : NOBODY
  },
})

/**
 * A cold model as chat completions see it: the news that it is being deployed, a wait until it serves, or a fault that SDKs
 * retry by themselves; the request's `Prefer: wait=N` wins over the account's setting, within the limit.
 */
export function ensureDeployment(
  deployments: () => Deployments,
  accounts: Accounts,
  limits: { readonly waitSeconds: number },
): EnsureDeployment {
  return async ({ modelId, accountId, context }) => {
    const result = await deployments().ensure({ modelId, accountId, budgetIds: context.principal?.budgetIds })
    if (result.kind !== 'deploying') return result
    const mode = (await accounts.find(accountId))?.coldStartMode ?? 'respond'
    const wanted = preferredWait(context.headers.get('prefer')) ?? (mode === 'wait' ? limits.waitSeconds : 0)
    const waitSeconds = Math.min(wanted, limits.waitSeconds)
    if (waitSeconds > 0) {
      const waited = await deployments().waitUntilReady(modelId, waitSeconds * 1000, context.signal)
      if (waited === 'ready') return { kind: 'ready' }
      // The wait goes on at another server as well as here.
      if (waited === 'gone') throw context.signal.aborted ? endReason(context.signal) : serverStops()
    }
    if (mode === 'retry') {
      throw new AppError('model_deploying', result.message, { param: 'model', retryAfterSeconds: result.retryAfterSeconds })
    }
    return result
  }
}

/** Seconds of RFC 7240's `wait`; null when the header does not ask for it. */
function preferredWait(header: string | undefined): number | null {
  const seconds = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,6})"?/i.exec(header ?? '')?.[1]
  return seconds === undefined ? null : Number(seconds)
}
