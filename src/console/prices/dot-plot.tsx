/** Our price of each model beside what others charge, on one logarithmic scale. A row opens its figures. */
import { useMemo } from 'react'
import { Money } from '../format/money.js'
import { classes } from '../ui/classes.js'
import { useWidth } from '../ui/layout/use-width.js'
import type { ComparedModel } from './mix.js'

const ROW = 36
/** From the top of a row to its dots. */
const MIDDLE = ROW / 2
const EDGE = 10

/** Where on the scale: for the place on the screen only, what is said of a price is its text. */
function scaleOf(models: readonly ComparedModel[]) {
  const prices = models.flatMap(({ price, others }) => [price, ...others.map((other) => other.price)]).map(Number)
  const known = prices.filter((price) => price > 0)
  const low = Math.floor(Math.log10(Math.min(...known)))
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...known))))
  return {
    ticks: Array.from({ length: high - low + 1 }, (_, at) => 10 ** (low + at)),
    shareOf: (price: number) => (price <= 0 ? 0 : (Math.log10(price) - low) / (high - low)),
  }
}

type Scale = ReturnType<typeof scaleOf>

interface DotPlotProps {
  readonly models: readonly ComparedModel[]
  readonly chosen: string | undefined
  /** Models whose price has just changed. */
  readonly changed: ReadonlySet<string>
  readonly onChoose: (id: string) => void
}

const COLUMNS = 'grid grid-cols-[minmax(0,1fr)_5.5rem_4rem] items-center md:grid-cols-[13rem_minmax(0,1fr)_6rem_5rem]'

export function DotPlot({ models, chosen, changed, onChoose }: DotPlotProps) {
  const [ref, width] = useWidth<HTMLDivElement>()
  const scale = useMemo(() => scaleOf(models), [models])
  return (
    <div className="overflow-hidden rounded-md border border-line">
      <Legend />
      <div className={classes(COLUMNS, 'border-b border-line px-3 text-xs text-muted')}>
        <span>Model</span>
        <div ref={ref} className="max-md:order-last max-md:col-span-3">
          {width > 0 && <Axis scale={scale} width={width} />}
        </div>
        <span className="text-right">Ours / 1M</span>
        <span className="text-right">Saving</span>
      </div>
      <ul aria-label="Prices by model, the cheapest first">
        {models.map((model) => (
          <li key={model.id}>
            <button
              type="button"
              aria-pressed={model.id === chosen}
              className={classes(
                COLUMNS,
                'w-full border-b border-line px-3 text-left text-sm hover:bg-hover aria-pressed:bg-accent-soft max-md:pt-2',
              )}
              onClick={() => onChoose(model.id)}
            >
              <span className="flex min-w-0 items-center gap-2">
                <span className="truncate font-medium" title={model.name}>
                  {model.name}
                </span>
                {changed.has(model.id) && (
                  <span className="shrink-0 rounded-sm bg-warn-soft px-1.5 text-2xs leading-4.5 text-warn">new price</span>
                )}
              </span>
              <span className="max-md:order-last max-md:col-span-3">
                {width > 0 && <Dots model={model} scale={scale} width={width} />}
              </span>
              <span className="text-right">
                <Money amount={model.price} digits={3} />
              </span>
              <span className={classes('text-right tabular-nums', savingColour(model))}>
                {model.saving ? `${model.saving.percent}%` : '–'}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

const savingColour = ({ saving }: ComparedModel): string => {
  if (!saving) return 'text-muted'
  return saving.percent.startsWith('-') ? 'text-bad' : 'text-good'
}

const xOf = (scale: Scale, width: number, price: number) => EDGE + scale.shareOf(price) * (width - 2 * EDGE)

const tickText = (tick: number): string => `$${tick < 1 ? tick.toFixed(-Math.round(Math.log10(tick))) : tick}`

const Axis = ({ scale, width }: { readonly scale: Scale; readonly width: number }) => (
  <svg width={width} height={24} className="block" aria-hidden="true">
    {scale.ticks.map((tick, at) => (
      <text
        key={tick}
        x={xOf(scale, width, tick)}
        y={16}
        textAnchor={at === 0 ? 'start' : at === scale.ticks.length - 1 ? 'end' : 'middle'}
        className="fill-muted text-2xs tabular-nums"
      >
        {tickText(tick)}
      </text>
    ))}
  </svg>
)

interface DotsProps {
  readonly model: ComparedModel
  readonly scale: Scale
  readonly width: number
}

function Dots({ model, scale, width }: DotsProps) {
  const x = (price: string) => xOf(scale, width, Number(price))
  return (
    <svg width={width} height={ROW} className="block" aria-hidden="true">
      {scale.ticks.map((tick) => (
        <line key={tick} x1={xOf(scale, width, tick)} x2={xOf(scale, width, tick)} y1={0} y2={ROW} className="stroke-line" />
      ))}
      {model.others.toReversed().map(({ vendor, label, price, isSameModel }) =>
        isSameModel ? (
          <circle
            key={`${vendor} ${label}`}
            cx={x(price)}
            cy={MIDDLE}
            r={4.5}
            className="fill-canvas stroke-ink"
            strokeWidth={1.5}
          >
            <title>{`${vendor}: $${price}`}</title>
          </circle>
        ) : (
          <path
            key={`${vendor} ${label}`}
            d={`M${x(price)},${MIDDLE - 6}v12`}
            className="stroke-edge"
            strokeWidth={2}
            strokeLinecap="round"
          >
            <title>{`${vendor}, ${label}: $${price}`}</title>
          </path>
        ),
      )}
      <circle cx={x(model.price)} cy={MIDDLE} r={6} className="fill-accent stroke-canvas" strokeWidth={1.5} />
    </svg>
  )
}

const Legend = () => (
  <ul className="flex flex-wrap gap-x-5 gap-y-1 border-b border-line px-3 py-2 text-xs text-muted">
    <li className="flex items-center gap-1.5">
      <span className="size-3 rounded-full bg-accent" aria-hidden="true" />
      ours
    </li>
    <li className="flex items-center gap-1.5">
      <span className="size-2.5 rounded-full border-2 border-ink" aria-hidden="true" />
      the same model elsewhere
    </li>
    <li className="flex items-center gap-1.5">
      <span className="h-3 w-0.5 bg-edge" aria-hidden="true" />
      closed models of its tier
    </li>
  </ul>
)
