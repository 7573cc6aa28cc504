/** Spending over time as stacked columns. A drag over some, or a click on one, looks closer. */
import { useId, useRef, useState, type CSSProperties, type PointerEvent } from 'react'
import { roundedDecimal, shareOf, compareDecimals } from '../../format/decimal.js'
import { Money } from '../../format/money.js'
import { useWidth } from '../../ui/layout/use-width.js'
import { stepOf } from './span.js'
import type { Spending } from './spending.js'

const COLOURS = [
  'var(--color-series-1)',
  'var(--color-series-2)',
  'var(--color-series-3)',
  'var(--color-series-4)',
  'var(--color-series-5)',
] as const

export const colourOf = (id: string | null, at: number): string =>
  (id === null ? undefined : COLOURS[at]) ?? 'var(--color-series-rest)'

const HEIGHT = 168
const TOP = 8
const BOTTOM = 22
const LEFT = 72
const PLOT = HEIGHT - TOP - BOTTOM
const GAP = 0.22
const LABEL_PX = 76

const DAY = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' })
const HOUR = new Intl.DateTimeFormat('en', {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hour12: false,
  timeZone: 'UTC',
})

interface ChartProps {
  readonly spending: Spending
  readonly nameOf: (id: string | null) => string
  readonly onZoom: (from: number, to: number) => void
}

interface Drag {
  readonly from: number
  readonly to: number
}

export function SpendingChart({ spending, nameOf, onZoom }: ChartProps) {
  const { columns, costs, span } = spending
  const [box, width] = useWidth<HTMLDivElement>()
  const titleId = useId()
  const [hovered, hover] = useState<number | null>(null)
  const { drag, handlers } = useBrush(columns.length, width, hover, (first, last) => {
    onZoom(columns[first]!, columns[last]! + stepOf(span.group))
  })
  const most = costs.reduce((high, cost) => (compareDecimals(cost, high) > 0 ? cost : high), '0')
  const step = (width - LEFT) / columns.length
  return (
    <div ref={box} className="relative min-w-0 select-none" style={{ height: HEIGHT }}>
      {width > 0 && (
        <svg
          width={width}
          height={HEIGHT}
          role="img"
          aria-labelledby={titleId}
          className="cursor-crosshair touch-pan-y"
          onPointerLeave={() => hover(null)}
          {...handlers}
        >
          <title id={titleId}>{`Spending by ${span.group.toLowerCase()} in UTC; the requests below have each cost`}</title>
          <Scale most={most} width={width} />
          {drag && (
            <rect
              x={LEFT + drag.from * step}
              width={(drag.to - drag.from + 1) * step}
              y={TOP}
              height={PLOT}
              className="fill-accent-soft"
            />
          )}
          <Columns spending={spending} most={most} step={step} width={width} hovered={hovered} />
        </svg>
      )}
      {hovered !== null && columns[hovered] !== undefined && (
        <Hint
          spending={spending}
          at={hovered}
          nameOf={nameOf}
          style={
            LEFT + hovered * step < width / 2
              ? { left: LEFT + (hovered + 1) * step + 6 }
              : { right: width - LEFT - hovered * step + 6 }
          }
        />
      )}
    </div>
  )
}

const columnName = (start: number, group: 'HOUR' | 'DAY'): string => (group === 'HOUR' ? HOUR : DAY).format(start)

const Scale = ({ most, width }: { readonly most: string; readonly width: number }) =>
  [0, 0.5, 1].map((share) => (
    <g key={share}>
      <line x1={LEFT} x2={width} y1={y(share)} y2={y(share)} className="stroke-line" />
      {share !== 0.5 && (
        <text x={LEFT - 8} y={y(share) + 4} textAnchor="end" className="fill-muted text-2xs tabular-nums">
          {share === 0 ? '$0' : `$${axisAmount(most)}`}
        </text>
      )}
    </g>
  ))

interface ColumnsProps {
  readonly spending: Spending
  readonly most: string
  readonly step: number
  readonly width: number
  readonly hovered: number | null
}

function Columns({ spending: { columns, series, span }, most, step, width, hovered }: ColumnsProps) {
  const every = Math.max(1, Math.ceil(LABEL_PX / step))
  return columns.map((start, at) => (
    <g key={start} opacity={hovered === null || hovered === at ? 1 : 0.55}>
      <Stack series={series} at={at} most={most} x={LEFT + (at + GAP / 2) * step} width={Math.max(1, step * (1 - GAP))} />
      {at % every === 0 && LEFT + (at + 0.5) * step + LABEL_PX / 2 < width && (
        <text x={LEFT + (at + 0.5) * step} y={HEIGHT - 6} textAnchor="middle" className="fill-muted text-2xs">
          {columnName(start, span.group)}
        </text>
      )}
    </g>
  ))
}

interface HintProps {
  readonly spending: Spending
  readonly at: number
  readonly nameOf: (id: string | null) => string
  readonly style: CSSProperties
}

/** What the column under the pointer is made of. */
const Hint = ({ spending: { columns, costs, series, span }, at, nameOf, style }: HintProps) => (
  <div
    className="pointer-events-none absolute top-1 z-10 min-w-40 max-w-64 rounded-md border border-line bg-raised px-3 py-2 text-xs shadow-high"
    style={style}
  >
    <p className="mb-1 flex justify-between gap-4 font-medium">
      <span>{columnName(columns[at] ?? 0, span.group)} UTC</span>
      <Money amount={costs[at] ?? '0'} digits={4} />
    </p>
    {series.map(({ id, costs: own }, place) => (
      <p key={id} className="flex items-center gap-1.5 text-muted">
        <span className="size-2 shrink-0 rounded-full" style={{ background: colourOf(id, place) }} />
        <span className="mr-auto truncate">{nameOf(id)}</span>
        <Money amount={own[at] ?? '0'} digits={4} />
      </p>
    ))}
  </div>
)

const y = (share: number): number => TOP + PLOT * (1 - share)

/** As short as tells something. */
function axisAmount(amount: string): string {
  for (const digits of [2, 4, 6]) if (/[1-9]/.test(roundedDecimal(amount, digits))) return roundedDecimal(amount, digits)
  return roundedDecimal(amount, 2)
}

interface StackProps {
  readonly series: Spending['series']
  readonly at: number
  readonly most: string
  readonly x: number
  readonly width: number
}

function Stack({ series, at, most, x, width }: StackProps) {
  let below = 0
  return series.map(({ id, costs }, place) => {
    const share = shareOf(costs[at] ?? '0', most)
    below += share
    if (share === 0) return null
    return <rect key={id} x={x} width={width} y={y(below)} height={Math.max(0.75, share * PLOT)} fill={colourOf(id, place)} />
  })
}

/** A drag from one column to another; one that stays on its column is a click on it. */
function useBrush(length: number, width: number, hover: (at: number) => void, onBrushed: (first: number, last: number) => void) {
  const start = useRef<number | null>(null)
  const [drag, setDrag] = useState<Drag | null>(null)
  const columnAt = (event: PointerEvent<SVGSVGElement>): number => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left - LEFT
    return Math.min(length - 1, Math.max(0, Math.floor((x / (width - LEFT)) * length)))
  }
  const between = (a: number, b: number): Drag => ({ from: Math.min(a, b), to: Math.max(a, b) })
  return {
    drag,
    handlers: {
      onPointerDown(event: PointerEvent<SVGSVGElement>) {
        event.currentTarget.setPointerCapture(event.pointerId)
        start.current = columnAt(event)
      },
      onPointerMove(event: PointerEvent<SVGSVGElement>) {
        const at = columnAt(event)
        hover(at)
        if (start.current !== null) setDrag(between(start.current, at))
      },
      onPointerUp(event: PointerEvent<SVGSVGElement>) {
        if (start.current === null) return
        const { from, to } = between(start.current, columnAt(event))
        start.current = null
        setDrag(null)
        onBrushed(from, to)
      },
      onPointerCancel() {
        start.current = null
        setDrag(null)
      },
    },
  }
}
