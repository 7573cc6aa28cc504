/** Prices over time as steps: each holds until the next. */
import { compareDecimals } from '../format/decimal.js'
import { dayOrMinute } from '../format/time.js'
import { useWidth } from '../ui/layout/use-width.js'
import type { PriceLine } from './price-lines.js'

const HEIGHT = 190
const TOP = 10
const BOTTOM = 22
const LEFT = 52
const RIGHT = 6
/** A shorter time has one name at both ends. */
const MINUTE_MS = 60_000

/** Told apart without colour too. */
const LOOKS: readonly (readonly [stroke: string, fill: string, dashes: string | undefined])[] = [
  ['stroke-accent', 'bg-accent', undefined],
  ['stroke-warn', 'bg-warn', '6 3'],
  ['stroke-good', 'bg-good', '2 3'],
  ['stroke-bad', 'bg-bad', '8 3 2 3'],
  ['stroke-muted', 'bg-muted', '1 2'],
]
export const MOST_LINES = LOOKS.length

interface StepChartProps {
  readonly label: string
  readonly lines: readonly PriceLine[]
  /** Where the time ends. */
  readonly until: number
}

export function StepChart({ label, lines, until }: StepChartProps) {
  const [ref, width] = useWidth<HTMLDivElement>()
  const points = lines.flatMap((line) => line.points)
  const from = Math.min(...points.map(({ at }) => at))
  const top =
    points
      .map(({ price }) => price)
      .toSorted(compareDecimals)
      .at(-1) ?? '0'
  // For the place on the screen only; what is said of a price is its text.
  const highest = Number(top) || 1
  const x = (at: number) => LEFT + ((at - from) / Math.max(1, until - from)) * (width - LEFT - RIGHT)
  const y = (price: string) => TOP + (1 - Number(price) / highest) * (HEIGHT - TOP - BOTTOM)
  const path = ({ points: [first, ...rest] }: PriceLine) =>
    first === undefined
      ? ''
      : `M${x(first.at)},${y(first.price)}${rest.map(({ at, price }) => `H${x(at)}V${y(price)}`).join('')}H${x(until)}`
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3 p-4">
      <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs">
        {lines.map(({ name }, at) => (
          <li key={name} className="flex min-w-0 items-center gap-1.5">
            <span className={`h-0.75 w-3.5 shrink-0 rounded-full ${LOOKS[at]![1]}`} aria-hidden="true" />
            <span className="truncate font-mono">{name}</span>
          </li>
        ))}
      </ul>
      <div ref={ref} style={{ height: HEIGHT }}>
        {width > 0 && (
          <svg width={width} height={HEIGHT} role="img" aria-label={label} className="block">
            {['0', top].map((price) => (
              <g key={price}>
                <line x1={LEFT} x2={width - RIGHT} y1={y(price)} y2={y(price)} className="stroke-line" />
                <text x={LEFT - 8} y={y(price) + 4} textAnchor="end" className="fill-muted text-2xs tabular-nums">
                  ${price}
                </text>
              </g>
            ))}
            {lines.map((line, at) => (
              <path
                key={line.name}
                d={path(line)}
                fill="none"
                strokeWidth={2}
                strokeDasharray={LOOKS[at]![2]}
                className={LOOKS[at]![0]}
              >
                <title>{line.name}</title>
              </path>
            ))}
            {until - from > MINUTE_MS && (
              <text x={LEFT} y={HEIGHT - 4} className="fill-muted text-2xs">
                {dayOrMinute(from, until - from)}
              </text>
            )}
            <text x={width - RIGHT} y={HEIGHT - 4} textAnchor="end" className="fill-muted text-2xs">
              {dayOrMinute(until, until - from)}
            </text>
          </svg>
        )}
      </div>
    </div>
  )
}
