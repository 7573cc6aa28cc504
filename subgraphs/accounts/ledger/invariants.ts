/**
 * The ledger's promises as queries, the same text for both dialects: run by the tests, at boot, daily, and shown as a metric.
 * Each query returns the rows that break its promise.
 */
import { FOLDED_CHARGE } from './ledger-fold.js'
import { AGED } from './ledger-forget.js'
import type { InvariantReport } from './ledger.js'
import type { AccountRow, LedgerTransport } from './operations/operation.js'
import { type PeriodSpan, periodsAt } from './budget-period.js'

/** A hold may be this late for its sweep. */
const SWEEP_GRACE_MS = 120_000
const SAMPLES = 20

const COUNTS =
  "select (select count(*) from ledger_account) as accounts, (select count(*) from ledger_entry) as entries, (select count(*) from ledger_hold where state = 'open') as open_holds"

const IS_CHARGE = "kind = 'charge' or kind like 'capture:%'"

/** Whether a list of budgets, as holds and charges name them, has `b` in it. Both dialects know `replace`. */
const lists = (list: string): string => `replace(' ' || ${list} || ' ', ' ' || b.id || ' ', '') <> ' ' || ${list} || ' '`

/** Something of the period that budget `b` is in at that time. */
const inPeriod = (now: number, value: (span: PeriodSpan) => string): string =>
  `case b.every ${Object.entries(periodsAt(now))
    .map(([every, span]) => `when '${every}' then ${value(span)}`)
    .join(' ')} end`

/** `subject` names the row at fault, `detail` what was found. */
const PROMISES: Readonly<Record<string, (now: number) => string>> = {
  'the entries of an account sum to its balance': () => `
    select a.account_id as subject, 'balance ' || a.balance || ', entries ' || coalesce(e.total, 0) as detail
    from ledger_account a left join (select account_id, sum(amount) as total from ledger_entry group by account_id) e
      on e.account_id = a.account_id
    where a.balance <> coalesce(e.total, 0)`,
  'every entry belongs to an account': () => `
    select e.reference as subject, e.kind || ' of ' || e.account_id as detail
    from ledger_entry e left join ledger_account a on a.account_id = e.account_id where a.account_id is null`,
  'charges take and everything else gives': () => `
    select reference as subject, kind || ' of ' || amount as detail from ledger_entry
    where amount = 0 or (${IS_CHARGE} or kind = '${FOLDED_CHARGE}' or kind like '${AGED}%') <> (amount < 0)`,
  'every charge is told by a hold or a usage record': () => `
    select e.reference as subject, e.kind || ' of ' || e.amount as detail from ledger_entry e
    where (${IS_CHARGE}) and not exists (select 1 from ledger_hold h where h.id = e.reference)
      and not exists (select 1 from usage_record u where u.request_id = e.reference)`,
  'held is what the open holds still cover, and what is leased': () => `
    select a.account_id as subject, 'held ' || a.held || ', open ' || coalesce(h.total, 0) || ', leased ' || a.leased as detail
    from ledger_account a left join (
      select account_id, sum(amount - captured) as total from ledger_hold where state = 'open' group by account_id
    ) h on h.account_id = a.account_id
    where a.held <> coalesce(h.total, 0) + a.leased`,
  'leased is what the leases of all processes have': () => `
    select a.account_id as subject, 'leased ' || a.leased || ', leases ' || coalesce(l.total, 0) as detail
    from ledger_account a left join (select account_id, sum(amount) as total from ledger_lease group by account_id) l
      on l.account_id = a.account_id
    where a.leased <> coalesce(l.total, 0)`,
  'held of a budget is what its open holds still cover': () => `
    select b.id as subject, 'held ' || b.held || ', open ' || coalesce(h.total, 0) as detail
    from ledger_budget b left join (
      select b.id, sum(h.amount - h.captured) as total from ledger_budget b join ledger_hold h on h.account_id = b.account_id
      where h.state = 'open' and h.budget_id is not null and ${lists('h.budget_id')} group by b.id
    ) h on h.id = b.id
    where b.held <> coalesce(h.total, 0)`,
  'every budgeted hold and charge belongs to budgets of its account': () => `
    select c.id as subject, 'of ' || c.budget_id as detail from (
      select id, account_id, budget_id from ledger_hold where budget_id is not null
      union all select reference, account_id, budget_id from ledger_entry where budget_id is not null
    ) c where length(c.budget_id) - length(replace(c.budget_id, ' ', '')) + 1
      <> (select count(*) from ledger_budget b where b.account_id = c.account_id and ${lists('c.budget_id')})`,
  // More where old entries were folded, and where the clock went back over the period's beginning.
  'a budget has spent at least what its charges of this period say': (now) => `
    select b.id as subject, 'spent ' || b.spent || ', charges ' || e.total as detail
    from ledger_budget b join (
      select b.id, -sum(c.amount) as total from ledger_budget b join ledger_entry c on c.account_id = b.account_id
      where c.budget_id is not null and ${lists('c.budget_id')}
        and c.created_at >= ${inPeriod(now, ({ from }) => String(from))}
        and c.created_at < ${inPeriod(now, ({ to }) => String(to ?? Number.MAX_SAFE_INTEGER))}
      group by b.id
    ) e on e.id = b.id
    where b.period = ${inPeriod(now, ({ name }) => `'${name}'`)} and b.spent < e.total`,
  'no account has less than it holds': () => `
    select account_id as subject, 'balance ' || balance || ', held ' || held as detail
    from ledger_account where held < 0 or balance < held`,
  'no hold is captured beyond its amount': () => `
    select id as subject, 'captured ' || captured || ' of ' || amount as detail
    from ledger_hold where captured < 0 or captured > amount or metered > amount`,
  'a hold has captured what its entries say': () => `
    select h.id as subject, 'captured ' || h.captured || ', entries ' || coalesce(e.total, 0) as detail
    from ledger_hold h left join (
      select account_id, reference, -sum(amount) as total from ledger_entry group by account_id, reference
    ) e on e.account_id = h.account_id and e.reference = h.id
    where h.captured <> coalesce(e.total, 0)`,
  'a closed hold is captured when it charged and released when it did not': () => `
    select id as subject, state || ' with ' || captured as detail from ledger_hold
    where (state = 'captured' and captured = 0) or (state = 'released' and captured > 0)`,
  'a usage record costs what its entries say': () => `
    select u.request_id as subject, 'cost ' || u.cost || ', entries ' || coalesce(e.total, 0) as detail
    from usage_record u left join (
      select account_id, reference, -sum(amount) as total from ledger_entry group by account_id, reference
    ) e on e.account_id = u.account_id and e.reference = u.request_id
    where u.cost <> coalesce(e.total, 0)`,
  'a request with a usage record is over': () => `
    select u.request_id as subject, 'its hold is open' as detail
    from usage_record u join ledger_hold h on h.id = u.request_id where h.state = 'open'`,
}

/** Kept by a server that runs; where none does, holds of the last one wait for the next. */
const PROMISES_OF_A_SERVER: typeof PROMISES = {
  'no open hold has outlived its expiry': (now) => `
    select id as subject, 'expired at ' || expires_at as detail
    from ledger_hold where state = 'open' and expires_at < ${now - SWEEP_GRACE_MS}`,
  'no lease has outlived its process': (now) => `
    select account_id as subject, 'of ' || process_id || ', expired at ' || expires_at as detail
    from ledger_lease where expires_at < ${now - SWEEP_GRACE_MS}`,
}

/** Counts and broken promises, read in one snapshot. */
export const checkInvariants = (transport: LedgerTransport, now: number): Promise<InvariantReport> =>
  check(transport, now, { ...PROMISES, ...PROMISES_OF_A_SERVER })

/** The same of a database that no server works on, such as a backup. */
export const checkInvariantsAtRest = (transport: LedgerTransport, now: number): Promise<InvariantReport> =>
  check(transport, now, PROMISES)

async function check(transport: LedgerTransport, now: number, promises: typeof PROMISES): Promise<InvariantReport> {
  const queries = Object.values(promises).map((sql) => `${sql(Math.trunc(now))} limit ${SAMPLES}`)
  const [counts, ...results] = await transport.inspect([COUNTS, ...queries])
  const violations = Object.keys(promises).flatMap((invariant, index) =>
    (results[index] ?? []).map((row) => ({ invariant, subject: String(row.subject), detail: String(row.detail) })),
  )
  return {
    ok: violations.length === 0,
    accounts: Number(counts?.[0]?.accounts),
    entries: Number(counts?.[0]?.entries),
    openHolds: Number(counts?.[0]?.open_holds),
    violations,
  }
}

/** The report with what the database does not know: holds that live in this process. */
export function withMemory(
  report: InvariantReport,
  accounts: readonly AccountRow[],
  holds: number,
  overdrawn: readonly string[] = [],
): InvariantReport {
  const uncovered = accounts.filter(({ balance, held }) => balance < held)
  const violations = uncovered.slice(0, SAMPLES).map(({ accountId, balance, held }) => ({
    invariant: 'no account has less than it holds, in memory too',
    subject: accountId,
    detail: `balance ${balance}, held ${held}`,
  }))
  const beyond = overdrawn.map((subject) => {
    return { invariant: 'no process holds more of an account than it leased', subject, detail: 'in the memory of this one' }
  })
  const all = [...report.violations, ...violations, ...beyond]
  return { ...report, ok: all.length === 0, openHolds: report.openHolds + holds, violations: all }
}
