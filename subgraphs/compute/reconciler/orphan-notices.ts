/** Tells operators of machines that no session answers for: once each, however often one is seen until it is gone. */
import { DAY_MS } from '#platform/clock.js'
import type { NoticeMarks } from '#platform/events/notice-marks.js'
import { notice, NoticeType } from '#platform/events/notices.js'

const KIND = 'orphan'
/** Longer than a provider takes to destroy a machine. */
const REMEMBERED_MS = 30 * DAY_MS
const MAX_SUBJECT = 200

/** @returns what never throws: a machine costs money whether operators hear of it or not, and is destroyed. */
export const createOrphanNotices =
  (marks: NoticeMarks, onError: (error: unknown) => void) =>
  async (driverId: string, instanceId: string): Promise<void> => {
    const subject = `${driverId}/${instanceId}`.slice(0, MAX_SUBJECT)
    const told = notice(NoticeType.GPU_ORPHAN, subject, { driverId, instanceId })
    try {
      await marks.move({ kind: KIND, subject, from: undefined, to: 'found' }, [told])
      await marks.forget(KIND, REMEMBERED_MS)
    } catch (error) {
      onError(error)
    }
  }
