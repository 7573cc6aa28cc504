/**
 * The parts of the batch function that take money (postgres-batch.ts): bills and sweeps of holds that are rows, charges of holds
 * that a process kept in its memory, and the writing of such holds. What was held in memory comes out of the lease that it was
 * held in, when that is still there and has enough for all of it; else out of what is free, as far as that goes.
 */
import {
  type Column,
  HOLD,
  HOLD_FACTS,
  type HoldRow,
  sqlTypeOf,
  USAGE,
  USAGE_FACTS,
  type UsageRow,
  UsageOutcome,
} from '../ledger-columns.js'
import { freeOf } from './postgres-leases.js'

/** Columns with their types, for a list of parameters or results. */
export const typed = (columns: readonly Column[], before = ''): string =>
  columns.map((column) => `${before}${column.column} ${sqlTypeOf(column)}`).join(', ')

/** The ids in a list of budgets (ledger-columns.ts), for `from`. */
export const listed = (list: string): string => `unnest(string_to_array(${list}, ' '))`

/** Where budgets count: the name of the period that budget `b` is in now, and what it has spent in it. */
const PERIOD_NOW = 'p_periods ->> b.every'
export const SPENT_NOW = `case when ${PERIOD_NOW} > b.period then 0 else b.spent end`
export const ROLLED = `period = greatest(b.period collate "C", ${PERIOD_NOW})`
/** What a sweep writes of a request whose process died; of all else nothing is known. */
const SWEPT_USAGE: Partial<Record<keyof UsageRow, string>> = {
  requestId: 'f.id',
  accountId: 'f.account_id',
  cost: 'f.after',
  keyId: "coalesce(f.hold_key, '')",
  modelId: "coalesce(f.hold_model, '')",
  usageSource: "'counted'",
  endedAs: `'${UsageOutcome.SERVER_LOST}'`,
  createdAt: 'f.hold_created',
  durationMs: 'least(greatest(p_now - f.hold_created, 0), 2147483647)::int',
}
const sweptUsage = USAGE.columns.map(({ field, kind, isNullable }) => {
  return SWEPT_USAGE[field] ?? (isNullable ? 'null' : kind === 'name' || kind === 'text' ? "''" : '0')
})

/** A usage record from what came with its bill and what its hold says. */
const FROM_HOLD: Partial<Record<keyof UsageRow, string>> = { requestId: 'f.id', cost: 'f.after' }
const toldUsage = USAGE.columns.map(({ field, column }) => FROM_HOLD[field] ?? `f.${column}`)

/** The closed hold of a charge that no usage record tells of, and whose hold was never written. */
const UNTOLD_HOLD: Record<keyof HoldRow, string> = {
  holdId: 'f.id',
  accountId: 'f.account_id',
  amount: 'f.reserved',
  captured: 'f.after',
  metered: '0',
  state: "case when f.after > 0 then 'captured' else 'released' end",
  purpose: "'chat'",
  ownerId: 'p_process',
  keyId: 'f.key_id',
  modelId: 'f.model_id',
  budgetIds: 'null',
  createdAt: 'p_now',
  expiresAt: 'f.expires_at',
}
const untoldHold = HOLD.columns.map(({ field }) => UNTOLD_HOLD[field]).join(', ')

/** A hold that is written after it was held in memory for a while. */
const WRITTEN_HOLD: Partial<Record<string, string>> = {
  captured: '0',
  metered: 'least(f.metered, f.amount)',
  state: "'open'",
  createdAt: 'p_now',
}
const writtenHold = HOLD.columns.map(({ field, column }) => WRITTEN_HOLD[field] ?? `f.${column}`).join(', ')

/**
 * Of what was held in memory: whether the lease that it was held in is there and has enough for all of it. Else it comes out
 * of what is free (`freeOfAccount`), as far as that goes.
 */
const COVERED = 'coalesce(m.lease_amount >= sum(m.due) over (partition by m.account_id, m.lease), false)'
const UNCOVERED_SO_FAR = 'sum(case when c.covered then 0 else c.due end) over (partition by c.account_id order by c.ord)'
const freeOfAccount = (row: string): string =>
  `coalesce((select ${freeOf('a', 'p_period')} from ledger_account a where a.account_id = ${row}.account_id), 0)`

/** Holds that were kept in memory until now, and are to outlive their process. */
export const WRITE_HOLDS = `
  if p_writes is not null then
    with op as materialized (
      select * from json_to_recordset(p_writes) as (ord int, metered bigint, lease int, ${typed(HOLD_FACTS)})
    ),
    m as (
      select op.*, h.account_id as hold_account, h.purpose as hold_purpose, h.captured, l.amount as lease_amount,
        coalesce(h.state, case when u.request_id is not null then 'told' end) as state, u.account_id as told_account, u.cost,
        case when h.id is null and u.request_id is null then op.amount else 0 end as due
      from op left join ledger_hold h on h.id = op.id left join usage_record u on u.request_id = op.id and h.id is null
        left join ledger_lease l on l.process_id = p_process and l.account_id = op.account_id and l.epoch = op.lease
    ),
    c as (select m.*, ${COVERED} as covered from m),
    found as materialized (
      select c.*, c.state is null and (c.covered or c.due > 0 and ${UNCOVERED_SO_FAR} <= ${freeOfAccount('c')}) as applies from c
    ),
    written as (
      insert into ledger_hold (${HOLD.list}) select ${writtenHold} from found f where f.applies
    ),
    metered as (
      update ledger_hold h set metered = least(f.metered, h.amount) from found f
      where h.id = f.id and f.state = 'open' and f.hold_account = f.account_id and f.hold_purpose = f.purpose
    ),
    taken as (
      update ledger_lease l set amount = l.amount - d.due from (
        select f.account_id, sum(f.due)::bigint as due from found f where f.applies and f.covered group by f.account_id
      ) d where l.process_id = p_process and l.account_id = d.account_id
    ),
    moved as (
      update ledger_account a set held = a.held + d.more, leased = a.leased - d.leased from (
        select f.account_id, sum(case when f.covered then 0 else f.due end)::bigint as more,
          sum(case when f.covered then f.due else 0 end)::bigint as leased
        from found f where f.applies group by f.account_id
      ) d where a.account_id = d.account_id
    )
    select array_agg(f.ord), array_agg(f.account_id), array_agg(coalesce(f.captured, f.cost)),
      array_agg(case when f.applies then 'done' when f.state is null then 'balance'
        when coalesce(f.hold_account, f.told_account) <> f.account_id or f.hold_purpose <> f.purpose then 'conflict'
        when f.state = 'open' then 'replayed' else 'closed' end)
    into some_ords, some_owners, some_totals, some_codes from found f;
    ords := ords || some_ords; owners := owners || some_owners;
    totals := totals || some_totals; codes := codes || some_codes;
  end if;
`

export const BILL = `
  if p_bills is not null then
    with op as materialized (
      select * from json_to_recordset(p_bills) as (
        ord int, id text, total bigint, "close" boolean, alive_since bigint, dead_owners text[],
        payer text, lease int, amount bigint, expires_at bigint, ${typed(USAGE_FACTS)})
    ),
    m as (
      select op.*, coalesce(h.account_id, u.account_id, op.payer) as account_id,
        coalesce(h.state, case when u.request_id is null and op.payer is not null then 'memory' else 'told' end) as state,
        coalesce(h.purpose, case when u.request_id is null and op.payer is not null then 'chat' end) as purpose,
        coalesce(h.captured, u.cost, case when op.payer is not null then 0 end) as before,
        coalesce(h.amount, op.amount) as reserved, h.captured, h.metered, h.owner_id as hold_owner, h.key_id as hold_key,
        h.model_id as hold_model, h.budget_id, h.created_at as hold_created, h.expires_at < p_now as expired,
        op.payer is not null and (coalesce(h.account_id, u.account_id) <> op.payer or h.purpose <> 'chat') as conflicts,
        case when op.payer is not null and h.id is null and u.request_id is null then least(op.total, op.amount) else 0 end as due,
        l.amount as lease_amount
      from op left join ledger_hold h on h.id = op.id left join usage_record u on u.request_id = op.id and h.id is null
        left join ledger_lease l on l.process_id = p_process and l.account_id = op.payer and l.epoch = op.lease
    ),
    c as (select m.*, m.state = 'memory' and ${COVERED} as covered from m),
    found as materialized (
      select c.*,
        case when c.state <> 'memory' then greatest(c.captured, least(coalesce(c.total, c.metered), c.reserved))
          when c.covered then c.due
          else least(c.due, greatest(0, ${freeOfAccount('c')} - (${UNCOVERED_SO_FAR} - c.due)))::bigint end as after,
        c.purpose = 'chat' and c."close" and c.ended_as is not null as told,
        c.state in ('open', 'memory') and not coalesce(c.conflicts, false) and case
          when c.state = 'memory' then true
          when c.total is not null then c."close" or least(c.total, c.reserved) > c.captured
          else c.expired or (c.purpose = 'chat' and (c.hold_owner = any(c.dead_owners) or not exists (
            select from ledger_process p where p.id = c.hold_owner and p.heartbeat_at >= c.alive_since)))
        end as applies
      from c
    ),
    untold as (
      insert into ledger_hold (${HOLD.list})
      select ${untoldHold} from found f where f.applies and f.state = 'memory' and not f.told
    ),
    taken as (
      update ledger_lease l set amount = l.amount - d.charged from (
        select f.account_id, sum(f.after)::bigint as charged from found f where f.applies and f.covered group by f.account_id
      ) d where l.process_id = p_process and l.account_id = d.account_id
    ),
    -- By their ids as an array, here and below: a join may be planned to go through all open holds.
    removed as (
      delete from ledger_hold h where h.id = any(array(select f.id from found f where f.applies and f.told))
    ),
    billed as (
      update ledger_hold h set captured = f.after, state = case
          when not f."close" then 'open'
          when f.total is null and f.expired then 'expired'
          when f.after > 0 then 'captured' else 'released' end
      from found f where f.applies and not f.told and h.id = f.id
        and h.id = any(array(select c.id from found c where c.applies and not c.told))
    ),
    entered as (
      insert into ledger_entry (account_id, reference, kind, amount, created_at, budget_id)
      select f.account_id, f.id, case when f."close" then 'charge' else 'capture:' || f.after end, f.before - f.after, p_now,
        f.budget_id
      from found f
      where f.applies and f.after > f.before
    ),
    used as (
      insert into usage_record (${USAGE.list})
      select ${toldUsage.join(', ')}
      from found f where f.applies and f.ended_as is not null
      union all
      select ${sweptUsage.join(', ')}
      from found f where f.applies and f.total is null and f.purpose = 'chat'
    ),
    moved as (
      update ledger_account a set
        balance = a.balance - d.charged, held = a.held - d.freed, leased = a.leased - d.leased,
        spent = case when p_period > a.period then 0 else a.spent end + d.charged,
        period = greatest(a.period collate "C", p_period)
      from (
        select f.account_id, sum(f.after - f.before)::bigint as charged,
          sum(case when f.state = 'memory' then case when f.covered then f.after else 0 end
            when f."close" then f.reserved - f.before else f.after - f.before end)::bigint as freed,
          sum(case when f.covered then f.after else 0 end)::bigint as leased
        from found f where f.applies group by f.account_id
      ) d where a.account_id = d.account_id
    ),
    moved_budgets as (
      update ledger_budget b set
        held = b.held - d.freed, spent = ${SPENT_NOW} + d.charged, ${ROLLED}
      from (
        select one.id, sum(f.after - f.before)::bigint as charged,
          sum(case when f."close" then f.reserved - f.before else f.after - f.before end)::bigint as freed
        from found f cross join lateral ${listed('f.budget_id')} as one (id) where f.applies group by one.id
      ) d where b.id = d.id
    )
    select array_agg(f.ord), array_agg(f.account_id),
      array_agg(case when f.applies then f.after else f.before end),
      array_agg(case when f.applies then 'done' when f.account_id is null then 'unknown_hold'
        when f.conflicts then 'conflict' when f.state <> 'open' then 'closed' else 'replayed' end)
    into some_ords, some_owners, some_totals, some_codes from found f;
    ords := ords || some_ords; owners := owners || some_owners;
    totals := totals || some_totals; codes := codes || some_codes;
  end if;
`
