/**
 * Forgetting old usage records while their charges stay: what was asked and answered may have to go sooner than what was paid.
 *
 * One step takes some finished requests of one account. A charge that no hold tells of either is marked in the same transaction,
 * so that the invariant about charges without a record goes on finding every other one.
 */

/** Before the kind of a charge whose usage record was forgotten. No kind of a top-up has a colon. */
export const AGED = 'aged:'

const FORGETTABLE = `from usage_record u where u.account_id = $1 and u.created_at < $2
  and not exists (select 1 from ledger_hold h where h.id = u.request_id and h.state = 'open')`

const MARKED = `(kind = 'charge' or kind like 'capture:%')
  and not exists (select 1 from ledger_hold h where h.id = ledger_entry.reference)`

/** Parameters: account, end of what is forgotten, and for the first the most records, for the second these as JSON. */
export const SQLITE_FORGET = {
  forgettable: `select json_group_array(request_id) as list, count(*) as count from (
    select u.request_id ${FORGETTABLE.replaceAll('$', '?')} limit ?3)`,
  ageCharges: `update ledger_entry set kind = '${AGED}' || kind
    where +account_id = ?1 and reference in (select value from json_each(?2)) and ${MARKED}`,
} as const

/** One step in one statement. Parameters: account, end of what is forgotten, most records. */
export const POSTGRES_FORGET = `
with refs as materialized (
  select u.request_id ${FORGETTABLE.replace('$2', '$2::bigint')} limit $3
), aged as (
  update ledger_entry set kind = '${AGED}' || kind from refs r
  where account_id = $1 and reference = r.request_id and ${MARKED}
), used as (
  delete from usage_record u using refs r where u.request_id = r.request_id
)
select count(*) as count from refs`
