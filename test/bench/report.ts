/** Figures by system and metric, a sample a round, and their tables. */
import { quantile } from './load.ts'

export class Figures {
  readonly #samples = new Map<string, number[]>()

  add(system: string, metric: string, value: number): void {
    const name = `${system} ${metric}`
    const samples = this.#samples.get(name) ?? []
    this.#samples.set(name, [...samples, value])
  }

  median(system: string, metric: string): number {
    return quantile(this.#samples.get(`${system} ${metric}`) ?? [], 0.5)
  }

  /** The median of the ratios inside the rounds: a shared machine changes its speed from one to the next. */
  ratio(system: string, to: string, metric: string): number {
    const below = this.#samples.get(`${to} ${metric}`) ?? []
    const ratios = (this.#samples.get(`${system} ${metric}`) ?? []).map((value, round) => value / (below[round] ?? Number.NaN))
    return quantile(ratios, 0.5)
  }
}

/** A row of a table: its name and, for each system, a text. */
export type Row = readonly [name: string, ...cells: string[]]

export function table(title: string, head: Row, rows: readonly Row[]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => (row[column] ?? '').length)))
  const line = (row: Row) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!))).join('  ')
  return [`\n${title}`, ...[head, ...rows].map((row) => `  ${line(row)}`), ''].join('\n')
}

export const figure = (value: number, digits = 0): string => (Number.isNaN(value) ? '-' : value.toFixed(digits))
