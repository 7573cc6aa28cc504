/**
 * Tells operators of providers that stop answering, and when they answer again: as real traffic of this process shows it.
 *
 * Down: of the deployments that were asked, none answers any more. Up: one is healthy. In between, and without traffic, nothing
 * is known and nothing is told: a pause that is over is no answer.
 */
import type { NoticeMarks } from '#platform/events/notice-marks.js'
import { notice, NoticeType } from '#platform/events/notices.js'
import type { CatalogSource, HealthTracker, PricedDeployment } from '../ports.js'

const KIND = 'provider'
const State = { DOWN: 'down', UP: 'up' } as const
type State = (typeof State)[keyof typeof State]

/** @returns what looks at every provider and tells what has changed. */
export function createProviderNotices(
  marks: NoticeMarks,
  catalog: Pick<CatalogSource, 'deployments'>,
  health: HealthTracker,
): () => Promise<void> {
  /** What this process saw last: most looks find nothing new and ask no database. */
  const seen = new Map<string, State>()

  async function tell(providerId: string, state: State, deployments: readonly PricedDeployment[]): Promise<void> {
    const from = (await marks.read(KIND, [providerId])).get(providerId)
    // A provider that works when it is first seen is no news.
    if (from !== state && (from !== undefined || state === State.DOWN)) {
      const failing = deployments.filter(({ id }) => health.openUntil(id) !== null).length
      const type = state === State.DOWN ? NoticeType.PROVIDER_DOWN : NoticeType.PROVIDER_UP
      const told = notice(type, providerId, { providerId, deployments: deployments.length, failing })
      await marks.move({ kind: KIND, subject: providerId, from, to: state }, [told])
    }
    seen.set(providerId, state)
  }

  return async () => {
    const byProvider = Map.groupBy(catalog.deployments(), ({ providerId }) => providerId)
    for (const [providerId, deployments] of byProvider) {
      const state = stateOf(deployments, health)
      if (state !== null && seen.get(providerId) !== state) await tell(providerId, state, deployments)
    }
  }
}

function stateOf(deployments: readonly PricedDeployment[], health: HealthTracker): State | null {
  const asked = deployments.flatMap(({ id }) => {
    const { samples, status } = health.of(id)
    const isOpen = health.openUntil(id) !== null
    return samples > 0 || isOpen ? [{ isOpen, status }] : []
  })
  if (asked.some(({ isOpen, status }) => !isOpen && status === 'healthy')) return State.UP
  return asked.length > 0 && asked.every(({ isOpen }) => isOpen) ? State.DOWN : null
}
