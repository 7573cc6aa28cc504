/**
 * The ledger's rules as one Postgres function, so that a batch is one statement: one round trip, one transaction, one sync.
 *
 * Sent as data and applied as a set, a stalled client can never sit on row locks between two messages. The function is created
 * in the session's temporary schema: nothing to migrate, and two versions of the program can run beside each other.
 *
 * Locking: every hold belongs to one account, and every change of a hold happens under its account's row lock. The function
 * takes those locks first, in key order, so batches of different processes wait for each other but never deadlock.
 * The rules are those of ledger-rules.ts; one suite holds both to them.
 */
import { ACCOUNT, BUDGET, BudgetAction, type BudgetRow, type Column, HOLD, HOLD_FACTS, sqlTypeOf } from '../ledger-columns.js'
import { BILL, listed, ROLLED, SPENT_NOW, typed, WRITE_HOLDS } from './postgres-charges.js'

/** Indexes are the only sane plan for a batch of keys, also while the tables are young and their statistics empty. */
export const BATCH_SETTINGS = [
  'enable_seqscan=off',
  'enable_hashjoin=off',
  'enable_mergejoin=off',
  // Else a plan that was made while the usage records were few reads all of them for every batch.
  'enable_material=off',
  'plan_cache_mode=force_generic_plan',
  'jit=off',
  'synchronous_commit=on',
]

/** Columns as values of a function's result. */
const cast = (columns: readonly Column[], from: string): string =>
  columns.map((column) => `${from}.${column.column}::${sqlTypeOf(column)}`).join(', ')

const BUDGET_PREFIX = 'of_budget_'

/** From a row of the function; null for one without. */
export function budgetOf(row: Readonly<Record<string, unknown>>): BudgetRow | null {
  if (row[`${BUDGET_PREFIX}${BUDGET.columns[0]?.column}`] === null) return null
  return BUDGET.read(Object.fromEntries(BUDGET.columns.map(({ column }) => [column, row[`${BUDGET_PREFIX}${column}`]])))
}

/** What a budget leaves beyond what is held of it; null where it refuses nothing. */
const UNSPENT = `case when b.action = '${BudgetAction.STOP}' then b.monthly_cap - (${SPENT_NOW}) end`

/** A new hold from what was asked. */
const NEW_HOLD: Partial<Record<string, string>> = { captured: '0', metered: '0', state: "'open'", createdAt: 'p_now' }
const newHold = HOLD.columns.map(({ field, column }) => NEW_HOLD[field] ?? `op.${column}`).join(', ')

/**
 * Arguments: accounts and holds to lock; reserves and extensions, bills, charges and sweeps, meters, and holds to be written, as
 * JSON arrays whose `ord` is the place in the batch; the time, and the names of its periods; the process. Returns one row per
 * operation, with the tightest of its budgets where that may have been why it was refused.
 */
export const CREATE_BATCH_FUNCTION = `
create or replace function pg_temp.ledger_batch(
  p_accounts text[], p_holds text[], p_reserves json, p_bills json, p_meters json, p_writes json, p_now bigint, p_period text, p_periods json,
  p_process text
) returns table (
  ord int, code text, captured bigint,
  ${typed(ACCOUNT.columns)}, ${typed(BUDGET.columns, BUDGET_PREFIX)}
) language plpgsql as $batch$
#variable_conflict use_column
declare
  r record;
  ords int[] := '{}'; codes text[] := '{}'; totals bigint[] := '{}'; owners text[] := '{}';
  some_ords int[]; some_codes text[]; some_totals bigint[]; some_owners text[]; all_fit boolean;
  admitted boolean[] := '{}';
  v_code text; v_account text := null; v_balance bigint; v_held bigint; v_cap bigint; v_spent bigint; v_more bigint;
  touched text[] := '{}'; touched_held bigint[] := '{}';
  asked_budgets text[] := '{}'; budgets text[] := '{}'; budgets_held bigint[] := '{}'; budgets_unspent bigint[] := '{}';
  budgets_account text[] := '{}'; v_id text; v_at int; v_least bigint; v_tightest text; v_known boolean;
begin
  perform 1 from ledger_account a
    where a.account_id = any(p_accounts || array(select h.account_id::text from ledger_hold h where h.id = any(p_holds)))
    order by a.account_id for update;

  ${WRITE_HOLDS}
  ${BILL}
  if p_meters is not null then
    with op as materialized (select * from json_to_recordset(p_meters) as (ord int, id text, amount bigint)),
    metered as (
      update ledger_hold h set metered = least(op.amount, h.amount) from op
      where h.id = op.id and h.state = 'open' returning h.id
    )
    select array_agg(op.ord), array_agg(h.account_id), array_agg(h.captured),
      array_agg(case when h.id is null then 'unknown_hold' when h.state = 'open' then 'done' else 'closed' end)
    into some_ords, some_owners, some_totals, some_codes from op left join ledger_hold h on h.id = op.id;
    ords := ords || some_ords; owners := owners || some_owners;
    totals := totals || some_totals; codes := codes || some_codes;
  end if;

  if p_reserves is not null then
    -- Most batches are new holds that all fit: one statement admits them together.
    with op as materialized (
      select * from json_to_recordset(p_reserves) as (ord int, extend boolean, ${typed(HOLD_FACTS)})
    ),
    asked as materialized (select op.account_id, sum(op.amount) as total from op group by op.account_id),
    asked_of as materialized (
      select one.id, op.account_id, sum(op.amount) as total from op cross join lateral ${listed('op.budget_id')} as one (id)
      group by one.id, op.account_id
    ),
    verdict as materialized (
      select not exists (select from op left join ledger_hold h on h.id = op.id left join usage_record u on u.request_id = op.id
          where op.extend or h.id is not null or u.request_id is not null)
        and not exists (
          select from asked left join ledger_account a on a.account_id = asked.account_id
          where a.account_id is null or a.balance - a.held < asked.total or a.monthly_cap - a.held
            - case when p_period > a.period then 0 else a.spent end < asked.total)
        and not exists (
          select from asked_of left join ledger_budget b on b.id = asked_of.id
          where b.account_id is distinct from asked_of.account_id or ${UNSPENT} - b.held < asked_of.total) as all_fit
    ),
    inserted as (
      insert into ledger_hold (${HOLD.list})
      select ${newHold}
      from op cross join verdict where verdict.all_fit
    ),
    set_aside as (
      update ledger_account a set held = a.held + asked.total,
        spent = case when p_period > a.period then 0 else a.spent end, period = greatest(a.period collate "C", p_period)
      from asked cross join verdict where verdict.all_fit and a.account_id = asked.account_id
    ),
    set_aside_of as (
      update ledger_budget b set held = b.held + asked_of.total, spent = ${SPENT_NOW}, ${ROLLED}
      from asked_of cross join verdict where verdict.all_fit and b.id = asked_of.id
    )
    select (select all_fit from verdict), array_agg(op.ord), array_agg(op.account_id), array_agg(null::bigint),
      array_agg('done'::text)
    into all_fit, some_ords, some_owners, some_totals, some_codes from op;
    if all_fit then
      ords := ords || some_ords; owners := owners || some_owners; totals := totals || some_totals; codes := codes || some_codes;
    end if;
  end if;

  if p_reserves is not null and not all_fit then
    asked_budgets := array_fill(null::text, array[cardinality(ords)]);
    admitted := array_fill(false, array[json_array_length(p_reserves)]);
    select coalesce(array_agg(b.id::text), '{}'), coalesce(array_agg(b.held), '{}'), coalesce(array_agg(${UNSPENT}), '{}'),
      coalesce(array_agg(b.account_id::text), '{}')
    into budgets, budgets_held, budgets_unspent, budgets_account from ledger_budget b
    where b.id = any(array(
      select one.id from json_to_recordset(p_reserves) as op (id text, budget_id text, extend boolean)
        left join ledger_hold h on op.extend and h.id = op.id
        cross join lateral ${listed('coalesce(h.budget_id, op.budget_id)')} as one (id)));
    for r in
      select op.*, a.balance, a.held, a.monthly_cap, a.account_id as found_account,
        case when p_period > a.period then 0 else a.spent end as spent,
        coalesce(h.account_id, u.account_id) as hold_account, h.amount as reserved, h.expires_at as hold_expires,
        coalesce(h.state, case when u.request_id is not null then 'told' end) as state,
        coalesce(h.purpose, case when u.request_id is not null then 'chat' end) as hold_purpose,
        case when op.extend then h.budget_id else op.budget_id end as asked_list
      from json_to_recordset(p_reserves) as op (
          ord int, place int, id text, account_id text, amount bigint, purpose text, budget_id text, expires_at bigint,
          extend boolean)
        left join ledger_hold h on h.id = op.id
        left join usage_record u on u.request_id = op.id and h.id is null
        left join ledger_account a on a.account_id = coalesce(h.account_id, u.account_id, op.account_id)
      order by a.account_id, op.place
    loop
      if r.found_account is not null and r.found_account is distinct from v_account then
        if v_account is not null then touched := touched || v_account; touched_held := touched_held || v_held; end if;
        v_account := r.found_account; v_balance := r.balance; v_held := r.held; v_cap := r.monthly_cap; v_spent := r.spent;
      end if;
      v_known := true; v_least := null; v_tightest := null;
      for v_id in select one.id from ${listed('r.asked_list')} as one (id) loop
        v_at := array_position(budgets, v_id);
        if v_at is null or budgets_account[v_at] is distinct from r.found_account then v_known := false;
        elsif v_least is null or budgets_unspent[v_at] - budgets_held[v_at] < v_least then
          v_least := budgets_unspent[v_at] - budgets_held[v_at];
          if v_least is not null then v_tightest := v_id; end if;
        end if;
      end loop;
      v_more := r.amount - case when r.extend then coalesce(r.reserved, 0) else 0 end;
      if v_more < 0 then v_more := 0; end if;
      if r.extend and r.hold_account is null then v_code := 'unknown_hold';
      elsif r.found_account is null then v_code := 'unknown_account';
      elsif not r.extend and r.hold_account is not null and (r.hold_account <> r.account_id or r.hold_purpose <> r.purpose) then
        v_code := 'conflict';
      elsif r.state <> 'open' then v_code := 'closed';
      elsif not r.extend and r.hold_account is not null then
        v_code := case when r.reserved < r.amount then 'conflict' else 'replayed' end;
      elsif r.extend and v_more = 0 then v_code := case when r.expires_at > r.hold_expires then 'done' else 'replayed' end;
      elsif not v_known then v_code := 'unknown_budget';
      elsif v_balance - v_held < v_more then v_code := 'balance';
      elsif v_cap is not null and v_cap - v_spent - v_held < v_more then v_code := 'monthly_cap';
      elsif v_least < v_more then v_code := 'budget';
      else
        v_code := 'done'; v_held := v_held + v_more;
        for v_id in select one.id from ${listed('r.asked_list')} as one (id) loop
          v_at := array_position(budgets, v_id); budgets_held[v_at] := budgets_held[v_at] + v_more;
        end loop;
      end if;
      if v_code = 'done' then admitted[r.place] := true; end if;
      ords := ords || r.ord; codes := codes || v_code; totals := totals || null::bigint; owners := owners || r.found_account;
      asked_budgets := asked_budgets || v_tightest;
    end loop;
    if v_account is not null then touched := touched || v_account; touched_held := touched_held || v_held; end if;

    insert into ledger_hold (${HOLD.list})
      select ${newHold}
      from json_to_recordset(p_reserves) as op (place int, extend boolean, ${typed(HOLD_FACTS)})
      where admitted[op.place] and not op.extend;
    update ledger_hold h set amount = greatest(h.amount, op.amount), expires_at = greatest(h.expires_at, op.expires_at)
      from json_to_recordset(p_reserves) as op (place int, id text, amount bigint, expires_at bigint, extend boolean)
      where op.extend and admitted[op.place] and h.id = op.id;
    update ledger_account a set held = t.held,
        spent = case when p_period > a.period then 0 else a.spent end, period = greatest(a.period collate "C", p_period)
      from unnest(touched, touched_held) as t (id, held) where a.account_id = t.id and a.held <> t.held;
    update ledger_budget b set held = t.held, spent = ${SPENT_NOW}, ${ROLLED}
      from unnest(budgets, budgets_held) as t (id, held) where b.id = t.id and b.held <> t.held;
  end if;

  return query
    select o.ord, o.code, o.captured, ${cast(ACCOUNT.columns, 'a')}, ${cast(BUDGET.columns, 'b')}
    from unnest(ords, codes, totals, owners, asked_budgets) as o (ord, code, captured, owner, budget)
      left join ledger_account a on a.account_id = o.owner
      left join ledger_budget b on b.id = o.budget;
end
$batch$`
