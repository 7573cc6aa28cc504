/**
 * Rows and columns: sorted by a click on a heading, opened by a click or Enter, and only as many rows in the document as are seen.
 * What is sorted by belongs to the page, which keeps it in its address.
 */
import {
  createSortedRowModel,
  rowSortingFeature,
  tableFeatures,
  useTable,
  type ColumnDef,
  type SortingState,
} from '@tanstack/react-table'
import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { useEffect, useEffectEvent, useMemo, useRef, type ReactNode } from 'react'
import { classes } from './classes.js'

export interface Column<Row> {
  readonly id: string
  readonly header: string
  readonly cell: (row: Row) => ReactNode
  /** Ascending. A column without it is not sorted by. */
  readonly compare?: (a: Row, b: Row) => number
  /** Numbers stand at the end. */
  readonly isNumeric?: boolean
  /** Such as a width. */
  readonly className?: string
}

export interface Sort {
  readonly column: string
  readonly isDescending: boolean
}

interface DataTableProps<Row> {
  /** What the table is of. */
  readonly label: string
  /** Kept from one drawing to the next, as the rows are. */
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  readonly sort?: Sort
  readonly onSort?: (sort: Sort) => void
  readonly onOpen?: (row: Row) => void
  /** Called when the last rows are near, to read those behind them. */
  readonly onEnd?: () => void
}

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() })

const ROW_HEIGHT = 37
/** Beyond the screen, so that fast scrolling shows no gaps. */
const OVERSCAN_ROWS = 12

/** The rows in the order that is asked for. */
function useSortedRows<Row extends object>({ columns, rows, keyOf, sort }: DataTableProps<Row>) {
  const definitions = useMemo(
    () =>
      columns.map(({ id, header, compare }): ColumnDef<typeof features, Row> => ({
        id,
        header,
        accessorFn: (row) => row,
        enableSorting: compare !== undefined,
        ...(compare && { sortFn: (a, b) => compare(a.original, b.original) }),
      })),
    [columns],
  )
  const sorting = useMemo<SortingState>(() => (sort ? [{ id: sort.column, desc: sort.isDescending }] : []), [sort])
  const table = useTable({ features, columns: definitions, data: rows, state: { sorting }, getRowId: keyOf })
  return table.getRowModel().rows
}

export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { label, columns, sort, onSort, onOpen } = props
  const scroller = useRef<HTMLDivElement>(null)
  const sorted = useSortedRows(props)
  const virtual = useVirtualizer({
    count: sorted.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN_ROWS,
  })
  const seen = virtual.getVirtualItems()
  useEnd(props.rows, seen.at(-1)?.index ?? 0, props.onEnd)
  const above = seen[0]?.start ?? 0
  const below = virtual.getTotalSize() - (seen.at(-1)?.end ?? 0)
  return (
    <div ref={scroller} className="min-h-0 overflow-auto" tabIndex={0} role="region" aria-label={label}>
      <table className="w-full border-separate border-spacing-0 text-sm" aria-rowcount={sorted.length + 1}>
        <thead className="sticky top-0 z-10 bg-(--table-head,var(--color-canvas))">
          <tr>
            {columns.map((column) => (
              <HeadCell key={column.id} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          <Spacer height={above} columns={columns.length} />
          {seen.map(({ index }) => {
            const row = sorted[index]!
            return (
              <tr
                key={row.id}
                aria-rowindex={index + 2}
                {...(onOpen && {
                  tabIndex: 0,
                  onClick: () => onOpen(row.original),
                  onKeyDown: (event) => event.key === 'Enter' && onOpen(row.original),
                })}
                className={classes('bg-(--table-head,var(--color-canvas))', onOpen && 'cursor-pointer hover:bg-hover')}
              >
                {columns.map((column) => (
                  <td
                    key={column.id}
                    className={classes(
                      'h-9.25 whitespace-nowrap border-b border-line px-2.5 first:pl-(--table-edge) last:pr-(--table-edge)',
                      column.isNumeric === true && 'text-right tabular-nums',
                      column.className,
                    )}
                  >
                    {column.cell(row.original)}
                  </td>
                ))}
              </tr>
            )
          })}
          <Spacer height={below} columns={columns.length} />
        </tbody>
      </table>
    </div>
  )
}

/** Asks again whenever the rows are others: as many as before may have taken the place of those that were about to follow. */
function useEnd(rows: readonly unknown[], lastSeen: number, onEnd: (() => void) | undefined): void {
  const reach = useEffectEvent(() => onEnd?.())
  useEffect(() => {
    if (rows.length > 0 && lastSeen >= rows.length - OVERSCAN_ROWS) reach()
  }, [rows, lastSeen])
}

const Spacer = ({ height, columns }: { readonly height: number; readonly columns: number }) =>
  height > 0 ? (
    <tr aria-hidden="true">
      <td colSpan={columns} style={{ height }} />
    </tr>
  ) : null

interface HeadCellProps<Row> {
  readonly column: Column<Row>
  readonly sort: Sort | undefined
  readonly onSort: ((sort: Sort) => void) | undefined
}

function HeadCell<Row>({ column: { id, header, compare, isNumeric = false, className }, sort, onSort }: HeadCellProps<Row>) {
  const isSorted = sort?.column === id
  const Arrow = sort?.isDescending === true ? ArrowDown : ArrowUp
  return (
    <th
      scope="col"
      aria-sort={isSorted ? (sort.isDescending ? 'descending' : 'ascending') : undefined}
      className={classes(
        'h-8 whitespace-nowrap border-b border-line px-2.5 first:pl-(--table-edge) last:pr-(--table-edge) text-xs font-medium text-muted',
        isNumeric ? 'text-right' : 'text-left',
        className,
      )}
    >
      {compare && onSort ? (
        <button
          type="button"
          className={classes('inline-flex items-center gap-1 hover:text-ink', isSorted && 'text-ink')}
          onClick={() => onSort({ column: id, isDescending: isSorted && !sort.isDescending })}
        >
          {header}
          {isSorted && <Arrow className="size-3" aria-hidden="true" />}
        </button>
      ) : (
        header
      )}
    </th>
  )
}
