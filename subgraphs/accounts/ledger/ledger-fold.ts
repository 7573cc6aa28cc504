/**
 * Folding old entries into daily sums, so that a ledger does not grow for ever and its balances stay provable.
 *
 * One step takes some finished requests of one account: their entries become part of their day's sums, their holds and usage
 * records go, all in one transaction. What is open, or has moved money since, stays whole.
 */
import { DAY_MS } from '#platform/clock.js'

/** Kinds of the sums. A day has one of each at most, and they are not folded again. */
export const FOLDED_CHARGE = 'folded_charge'
export const FOLDED_CREDIT = 'folded_credit'

/** The start of the UTC day that lies `days` before now. */
export const foldBefore = (now: number, days: number): number => Math.floor(now / DAY_MS - days) * DAY_MS

const SUM = `select created_at / ${DAY_MS} as day, case when amount < 0 then '${FOLDED_CHARGE}' else '${FOLDED_CREDIT}' end as kind,
  cast(sum(amount) as bigint) as total`

/**
 * Parameters: account, end of what is folded, and for the first the most references, for the others these as JSON. The plus keeps
 * SQLite from walking through all of an account's entries, where it could go by the references.
 */
export const SQLITE_FOLD = {
  foldable: `select json_group_array(reference) as list, count(*) as count from (
    select distinct e.reference from ledger_entry e
    where e.account_id = ?1 and e.created_at < ?2 and e.kind not in ('${FOLDED_CHARGE}', '${FOLDED_CREDIT}')
      and not exists (select 1 from ledger_hold h where h.id = e.reference and h.state = 'open')
      and not exists (select 1 from ledger_entry l where l.reference = e.reference and +l.account_id = ?1 and l.created_at >= ?2)
    limit ?3)`,
  sumEntries: `insert into ledger_entry (account_id, reference, kind, amount, created_at)
    select ?1, 'folded/' || date(day * 86400, 'unixepoch'), kind, total, day * ${DAY_MS} from (
      ${SUM} from ledger_entry where +account_id = ?1 and reference in (select value from json_each(?2)) group by 1, 2
    ) where true on conflict (reference, kind, account_id) do update set amount = amount + excluded.amount`,
  dropEntries: `delete from ledger_entry where +account_id = ?1 and reference in (select value from json_each(?2))
    and kind not in ('${FOLDED_CHARGE}', '${FOLDED_CREDIT}')`,
  dropHolds: 'delete from ledger_hold where id in (select value from json_each(?))',
  dropUsage: 'delete from usage_record where request_id in (select value from json_each(?))',
  dropFreeHolds: "delete from ledger_hold where account_id = ? and state <> 'open' and captured = 0 and created_at < ?",
  dropFreeUsage: 'delete from usage_record where account_id = ? and cost = 0 and created_at < ?',
} as const

/**
 * One step in one statement. Parameters: account, end of what is folded, most references. "offset 0" and the lists of what is deleted
 * keep Postgres from joining with all of an account's entries, or from reading a table whole.
 */
export const POSTGRES_FOLD = `
with refs as materialized (
  select distinct e.reference from ledger_entry e
  where e.account_id = $1 and e.created_at < $2::bigint and e.kind not in ('${FOLDED_CHARGE}', '${FOLDED_CREDIT}')
    and not exists (select from ledger_hold h where h.id = e.reference and h.state = 'open')
    and not exists (select from ledger_entry l where l.reference = e.reference and l.account_id = $1 and l.created_at >= $2::bigint offset 0)
  limit $3
), gone as (
  delete from ledger_entry e using refs r where e.account_id = $1 and e.reference = r.reference returning e.amount, e.created_at
), holds as (
  delete from ledger_hold where id in (select reference from refs union all
    select h.id from ledger_hold h where h.account_id = $1 and h.state <> 'open' and h.captured = 0 and h.created_at < $2::bigint)
), used as (
  delete from usage_record where request_id in (select reference from refs union all
    select u.request_id from usage_record u where u.account_id = $1 and u.cost = 0 and u.created_at < $2::bigint)
), summed as (
  insert into ledger_entry (account_id, reference, kind, amount, created_at)
  select $1, 'folded/' || to_char(to_timestamp(day * 86400) at time zone 'UTC', 'YYYY-MM-DD'), kind, total, day * ${DAY_MS}
  from (${SUM} from gone group by 1, 2) sums
  on conflict (reference, kind, account_id) do update set amount = ledger_entry.amount + excluded.amount
)
select count(*) as count from refs`
