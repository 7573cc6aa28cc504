/**
 * Leases on Postgres: how processes take credits out of an account to hold chats in, and give them back.
 *
 * Each verb is one statement of its own and takes the account's lock first, in the order of the accounts where there are several,
 * as batches do. Only the renewal changes nothing but the expiry, and needs the lease's own lock alone.
 */
import { LARGEST_PART, LEASE_GRACE_MS, LEASE_MS, SMALL_HOLDS, USUAL_PART } from '../lease-terms.js'
import { ACCOUNT, LEASE, type Column, sqlTypeOf } from '../ledger-columns.js'
import type { BatchTime, LeaseOperation, Outcome, OutcomeCode } from '../operations/operation.js'

/** The database's own time, or what stands for it. */
const TIME = 'coalesce(p_now, (extract(epoch from clock_timestamp()) * 1000)::bigint)'

const typedAccount = ACCOUNT.columns.map((column: Column) => `${column.column} ${sqlTypeOf(column)}`).join(', ')
const castAccount = ACCOUNT.columns.map((column: Column) => `a.${column.column}::${sqlTypeOf(column)}`).join(', ')

/** What the account has beyond what is held, in the month too; the names are those of a row and of the month. */
export const freeOf = (row: string, period: string): string =>
  `greatest(0, least(${row}.balance - ${row}.held,
    ${row}.monthly_cap - ${row}.held - case when ${period} > ${row}.period then 0 else ${row}.spent end))`

export const CREATE_LEASE_FUNCTIONS = `
create or replace function pg_temp.ledger_lease(
  p_process text, p_account text, p_epoch int, p_is_new boolean, p_least bigint, p_wish bigint, p_period text, p_alive_since bigint, p_now bigint
) returns table (code text, granted bigint, ${typedAccount}) language plpgsql as $lease$
#variable_conflict use_column
declare
  a ledger_account; l ledger_lease; v_free bigint; v_more bigint; v_code text := 'done'; v_kept bigint := 0; v_gone bigint := 0;
begin
  select * into a from ledger_account where account_id = p_account for update;
  if not found then return; end if;
  select * into l from ledger_lease where process_id = p_process and account_id = p_account;
  if not p_is_new and l.epoch is distinct from p_epoch then
    return query select 'closed', 0::bigint, ${castAccount} from ledger_account a where a.account_id = p_account;
    return;
  end if;
  -- One that its process knows nothing of, because it never heard that it was given.
  if l.epoch <> p_epoch then v_gone := l.amount; else v_kept := coalesce(l.amount, 0); end if;
  a.held := a.held - v_gone;
  v_free := ${freeOf('a', 'p_period')};
  v_more := least(greatest(p_least, least(p_wish, v_free / ${USUAL_PART})), (v_free + v_kept) / ${LARGEST_PART} - v_kept);
  if v_free < ${SMALL_HOLDS} * p_least or v_more < p_least or (l.epoch = p_epoch and l.wanted <> 0) or exists (
    select from ledger_process p where p.knows_leases = 0 and p.heartbeat_at >= p_alive_since
  ) then v_code := 'balance'; v_more := 0; end if;
  if v_kept + v_more > 0 then
    insert into ledger_lease (${LEASE.list}) values (p_process, p_account, p_epoch, v_more, ${TIME} + ${LEASE_MS}, 0)
    on conflict (process_id, account_id) do update set epoch = excluded.epoch, amount = v_kept + v_more,
      expires_at = excluded.expires_at, wanted = case when ledger_lease.epoch = p_epoch then ledger_lease.wanted else 0 end;
  elsif v_gone > 0 then
    delete from ledger_lease where process_id = p_process and account_id = p_account;
  end if;
  update ledger_account u set held = u.held + v_more - v_gone, leased = u.leased + v_more - v_gone
    where u.account_id = p_account and v_more <> v_gone;
  return query select v_code, v_more, ${castAccount} from ledger_account a where a.account_id = p_account;
end
$lease$;

create or replace function pg_temp.ledger_return(
  p_process text, p_account text, p_epoch int, p_keep bigint
) returns table (code text, ${typedAccount}) language plpgsql as $return$
#variable_conflict use_column
declare
  v_amount bigint; v_less bigint := 0;
begin
  perform 1 from ledger_account where account_id = p_account for update;
  select l.amount into v_amount from ledger_lease l where l.process_id = p_process and l.account_id = p_account and l.epoch = p_epoch;
  if found then
    v_less := greatest(0, v_amount - p_keep);
    if p_keep = 0 then delete from ledger_lease l where l.process_id = p_process and l.account_id = p_account;
    else update ledger_lease l set amount = l.amount - v_less, wanted = 0 where l.process_id = p_process and l.account_id = p_account;
    end if;
    update ledger_account u set held = u.held - v_less, leased = u.leased - v_less where u.account_id = p_account and v_less > 0;
  end if;
  return query select 'done', ${castAccount} from ledger_account a where a.account_id = p_account;
end
$return$;

create or replace function pg_temp.ledger_sweep_leases(p_dead text[], p_limit int, p_now bigint) returns int
language plpgsql as $sweep$
declare
  r record; v_less bigint; v_count int := 0; v_before bigint := ${TIME} - ${LEASE_GRACE_MS};
begin
  for r in select s.process_id, s.account_id from (
      select * from ledger_lease l where l.expires_at < v_before or l.process_id = any(p_dead) limit p_limit
    ) s order by s.account_id
  loop
    perform 1 from ledger_account where account_id = r.account_id for update;
    -- It may have been renewed until the lock was there.
    delete from ledger_lease l where l.process_id = r.process_id and l.account_id = r.account_id
      and (l.expires_at < v_before or l.process_id = any(p_dead)) returning l.amount into v_less;
    if v_less is not null then
      update ledger_account a set held = a.held - v_less, leased = a.leased - v_less where a.account_id = r.account_id;
      v_count := v_count + 1;
    end if;
    v_less := null;
  end loop;
  return v_count;
end
$sweep$`

/** While a process runs that knows nothing of leases, whoever renews one is asked to return it. */
const RENEW = `
update ledger_lease l set expires_at = coalesce($5::bigint, (extract(epoch from clock_timestamp()) * 1000)::bigint) + ${LEASE_MS},
  wanted = case when exists (select from ledger_process p where p.knows_leases = 0 and p.heartbeat_at >= $4) then 1 else l.wanted end
from unnest($2::text[], $3::int[]) as mine (account_id, epoch)
where l.process_id = $1 and l.account_id = mine.account_id and l.epoch = mine.epoch returning l.*`

/** Under the account's lock, as everything but the expiry. */
const WANT = `
with locked as materialized (select account_id from ledger_account where account_id = $1 for update)
update ledger_lease l set wanted = 1 from locked where l.account_id = locked.account_id and l.process_id <> $2`

/** Of a process that stops. */
export const RETURN_ALL = `
select count(*) from (select l.account_id, l.epoch from ledger_lease l where l.process_id = $1 order by l.account_id offset 0) mine
cross join lateral pg_temp.ledger_return($1, mine.account_id, mine.epoch, 0)`

type Row = Record<string, unknown>
type Query = (text: string, values: unknown[]) => Promise<Row[]>

export async function executeOnLease(query: Query, operation: LeaseOperation, time: BatchTime): Promise<Outcome> {
  const leaseNow = time.leaseNow ?? null
  switch (operation.kind) {
    case 'lease': {
      const { processId, accountId, epoch, isNew, least, wish, aliveSince } = operation
      const values = [processId, accountId, epoch, isNew, least, wish, time.period, aliveSince, leaseNow]
      const [row] = await query('select * from pg_temp.ledger_lease($1, $2, $3, $4, $5, $6, $7, $8, $9)', values)
      if (!row) return { code: 'unknown_account' }
      return { code: row['code'] as OutcomeCode, granted: row['granted'] as bigint, account: ACCOUNT.read(row) }
    }
    case 'return_lease': {
      const { processId, accountId, epoch, keep } = operation
      const [row] = await query('select * from pg_temp.ledger_return($1, $2, $3, $4)', [processId, accountId, epoch, keep])
      return row ? { code: 'done', account: ACCOUNT.read(row) } : { code: 'unknown_account' }
    }
    case 'renew_leases': {
      const { processId, leases, aliveSince } = operation
      const accounts = leases.map(({ accountId }) => accountId)
      const epochs = leases.map(({ epoch }) => epoch)
      const rows = await query(RENEW, [processId, accounts, epochs, aliveSince, leaseNow])
      return { code: 'done', leases: rows.map((row) => LEASE.read(row)) }
    }
    case 'want_leases':
      await query(WANT, [operation.accountId, operation.processId])
      return { code: 'done' }
    case 'sweep_leases': {
      const { deadOwners, limit } = operation
      const [row] = await query('select pg_temp.ledger_sweep_leases($1, $2, $3) as count', [deadOwners, limit, leaseNow])
      return { code: 'done', count: Number(row?.['count']) }
    }
  }
}
