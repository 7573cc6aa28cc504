/** The findings of a scan, the worst first. Only those that are seen are in the document. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import type { ScanFindingFragment, ScanResultQuery } from '../../../generated/console-scan.js'
import { classes } from '../../ui/classes.js'
import { SeverityBadge } from './severity.js'

export interface Listed {
  readonly file: NonNullable<ScanResultQuery['scan']>['files'][number]
  readonly finding: ScanFindingFragment
}

interface FindingListProps {
  readonly listed: readonly Listed[]
  readonly open: Listed | undefined
  readonly onOpen: (one: Listed) => void
}

const ROW = 68

export function FindingList({ listed, open, onOpen }: FindingListProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: listed.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 8,
  })
  return (
    <div ref={scroller} className="min-h-0 overflow-y-auto max-md:max-h-72" tabIndex={0} role="region" aria-label="Findings">
      <ul className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const one = listed[index]!
          const { finding, file } = one
          return (
            <li
              key={`${file.filename} ${finding.fingerprint}`}
              className="absolute inset-x-0"
              style={{ top: start, height: ROW }}
            >
              <button
                type="button"
                aria-current={one === open ? 'true' : undefined}
                className={classes(
                  'grid h-full w-full content-center gap-1 border-b border-line px-4 text-left text-sm hover:bg-hover',
                  one === open && 'bg-hover',
                )}
                onClick={() => onOpen(one)}
              >
                <span className="flex min-w-0 items-center gap-2">
                  <SeverityBadge severity={finding.severity} />
                  <span className="truncate">{finding.message}</span>
                </span>
                <span className="truncate font-mono text-xs text-muted" dir="rtl">
                  <bdi>
                    {file.filename}:{finding.line}
                  </bdi>
                </span>
              </button>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
