/** What others charge for one model, with the source and the day of each price. */
import { Link } from '@tanstack/react-router'
import { compareDecimals } from '../format/decimal.js'
import { Money } from '../format/money.js'
import { Day } from '../format/time.js'
import { classes } from '../ui/classes.js'
import { DataTable, type Column } from '../ui/data-table.js'
import { Framed, Section } from '../ui/layout/section.js'
import type { ComparedModel, ComparedPrice } from './mix.js'

const COLUMNS: readonly Column<ComparedPrice>[] = [
  { id: 'vendor', header: 'Vendor', cell: ({ vendor }) => vendor },
  {
    id: 'label',
    header: 'Model',
    cell: ({ label, isSameModel }) => (
      <span className={classes(!isSameModel && 'text-muted')}>{isSameModel ? `${label} (the same)` : label}</span>
    ),
  },
  { id: 'input', header: 'Input / 1M', cell: ({ rates }) => <Money amount={rates.inputPerMillion} />, isNumeric: true },
  { id: 'output', header: 'Output / 1M', cell: ({ rates }) => <Money amount={rates.outputPerMillion} />, isNumeric: true },
  {
    id: 'price',
    header: 'This mix',
    cell: ({ price }) => <Money amount={price} digits={3} />,
    compare: (a, b) => compareDecimals(a.price, b.price),
    isNumeric: true,
  },
  {
    id: 'saving',
    header: 'Saving',
    cell: ({ saving }) => <span className={saving.startsWith('-') ? 'text-bad' : 'text-good'}>{saving}%</span>,
    isNumeric: true,
  },
  { id: 'source', header: 'Source', cell: ({ source }) => source },
  { id: 'date', header: 'As of', cell: ({ date }) => <Day at={date} /> },
]

export const ComparisonTable = ({ model }: { readonly model: ComparedModel }) => (
  <Section
    title={`${model.name} elsewhere`}
    aside={
      <span className="text-sm text-muted">
        Ours: <Money amount={model.rates.inputPerMillion} /> in, <Money amount={model.rates.outputPerMillion} /> out ·{' '}
        <Link to="/models/$id" params={{ id: model.id }} className="text-accent underline underline-offset-2">
          The model
        </Link>
      </span>
    }
  >
    {model.others.length === 0 ? (
      <p className="text-sm text-muted">Nobody else’s price of it is known here.</p>
    ) : (
      <Framed>
        <DataTable
          label={`${model.name} elsewhere`}
          columns={COLUMNS}
          rows={model.others}
          keyOf={({ vendor, label }) => `${vendor} ${label}`}
        />
      </Framed>
    )}
  </Section>
)
