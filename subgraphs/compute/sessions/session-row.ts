/** Between a session and its row: one list says which column holds what, so that no field is forgotten in either direction. */
import type { GpuSession, SessionPatch } from './session.js'

/** `time` and `money` are int64 columns, `number` and `flag` are int32, `list` is JSON text, `permille` a scaled fraction. */
type Kind = 'text' | 'number' | 'time' | 'money' | 'flag' | 'list' | 'permille'

const kinds: Readonly<Record<keyof GpuSession, Kind>> = {
  id: 'text',
  purpose: 'text',
  accountId: 'text',
  modelId: 'text',
  wanted: 'text',
  phase: 'text',
  driverId: 'text',
  providerId: 'text',
  region: 'text',
  gpuModel: 'text',
  vramGb: 'number',
  gpuCount: 'number',
  spot: 'flag',
  interruptionProbability: 'permille',
  interruptionOrigin: 'text',
  pricePerGpuHour: 'money',
  anyProvider: 'flag',
  anyRegion: 'flag',
  sshKey: 'text',
  dockerImage: 'text',
  fineTuned: 'flag',
  attempt: 'number',
  attemptAt: 'time',
  label: 'text',
  instanceId: 'text',
  instanceAt: 'time',
  strays: 'list',
  absences: 'number',
  endpointUrl: 'text',
  endpointKey: 'text',
  sshHost: 'text',
  sshPort: 'number',
  holdPhase: 'text',
  holdAmount: 'money',
  holdUntil: 'time',
  finalCost: 'money',
  createdAt: 'time',
  runningAt: 'time',
  lastAliveAt: 'time',
  aliveMs: 'time',
  lastActiveAt: 'time',
  terminatedAt: 'time',
  destroyAfter: 'time',
  terminationReason: 'text',
  estimatedReadySeconds: 'number',
  createFailures: 'number',
  probeFailures: 'number',
  setbacks: 'number',
  dueAt: 'time',
  leaseToken: 'text',
  leaseUntil: 'time',
  version: 'number',
}

export type SessionRow = Record<string, unknown>

const columnOf = (field: string): string =>
  (field === 'interruptionProbability' ? 'interruptionPermille' : field).replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const columns = Object.entries(kinds).map(([field, kind]) => ({ field, kind, column: columnOf(field) }))

/** The part of an id that is in labels. */
export const labelKeyOf = (id: string): string => id.slice(id.indexOf('_') + 1)

function toColumn(kind: Kind, value: unknown): unknown {
  if (value === null) return null
  switch (kind) {
    case 'time':
      return BigInt(Math.round(value as number))
    case 'flag':
      return value ? 1 : 0
    case 'list':
      return JSON.stringify(value)
    case 'permille':
      return Math.round((value as number) * 1000)
    default:
      return value
  }
}

function fromColumn(kind: Kind, value: unknown): unknown {
  if (value === null || value === undefined) return null
  switch (kind) {
    case 'time':
    case 'number':
      return Number(value)
    case 'money':
      return BigInt(value as string | number | bigint)
    case 'flag':
      return Number(value) === 1
    case 'list':
      return JSON.parse(value as string) as unknown
    case 'permille':
      return Number(value) / 1000
    default:
      return value
  }
}

/** What of a session changes while its owner looks on: an event keeps it, so that whoever hears of it later sees its time. */
const CHANGING = [
  'wanted',
  'phase',
  'terminationReason',
  'providerId',
  'region',
  'gpuModel',
  'vramGb',
  'spot',
  'interruptionProbability',
  'interruptionOrigin',
  'endpointUrl',
  'sshHost',
  'sshPort',
  'holdPhase',
  'holdAmount',
  'finalCost',
  'runningAt',
  'lastAliveAt',
  'aliveMs',
  'terminatedAt',
] as const satisfies readonly (keyof GpuSession)[]

const isChanging = new Set<string>(CHANGING.map(columnOf))

/** Columns by name; int64 as text, because JSON numbers are not exact. */
export function momentOf(session: GpuSession): Readonly<Record<string, string | number | null>> {
  const changing = Object.entries(patchToRow(session)).filter(([column]) => isChanging.has(column))
  return Object.fromEntries(
    changing.map(([column, value]) => [column, typeof value === 'bigint' ? value.toString() : (value as string | number | null)]),
  )
}

/** The session as it was; what an event of an older version did not keep is as it is now. */
export function atMoment(session: GpuSession, moment: Readonly<Record<string, unknown>>): GpuSession {
  const kept = columns.filter(({ column }) => isChanging.has(column) && moment[column] !== undefined)
  return { ...session, ...Object.fromEntries(kept.map(({ field, kind, column }) => [field, fromColumn(kind, moment[column])])) }
}

export const toRow = (session: GpuSession): SessionRow => ({ ...patchToRow(session), label_key: labelKeyOf(session.id) })

export function patchToRow(patch: SessionPatch | GpuSession): SessionRow {
  const row: SessionRow = {}
  const values = patch as Readonly<Record<string, unknown>>
  for (const { field, kind, column } of columns) {
    if (values[field] !== undefined) row[column] = toColumn(kind, values[field])
  }
  return row
}

export function fromRow(row: SessionRow): GpuSession {
  return Object.fromEntries(
    columns.map(({ field, kind, column }) => [field, fromColumn(kind, row[column])]),
  ) as unknown as GpuSession
}
