import { Migration } from '@mikro-orm/migrations';

const IS_CHARGE = `(kind = 'charge' or kind like 'capture:%')`

/**
 * An entry's other side follows from its kind, and a chat request's closed hold from its usage record: neither is written any
 * more, and what was written before goes.
 */
export class Migration20261122135839_thin_charges extends Migration {

  override name = 'Migration20261122135839_thin_charges';

  override up(): void | Promise<void> {
    this.addSql(`delete from ledger_entry where account_id in ('sluice:revenue', 'sluice:funding');`);
    this.addSql(`delete from ledger_hold where purpose = 'chat' and state in ('captured', 'released') and exists (
      select 1 from usage_record u where u.request_id = ledger_hold.id and u.ended_as <> 'swept');`);
    this.addSql(`drop index "ledger_entry_by_time";`);
    this.addSql(`create index "ledger_entry_by_time" on "ledger_entry" ("account_id", "created_at");`);
  }

  override down(): void | Promise<void> {
    this.addSql(`insert into ledger_hold (id, account_id, amount, captured, metered, state, purpose, owner_id, created_at, expires_at)
      select request_id, account_id, cost, cost, 0, case when cost > 0 then 'captured' else 'released' end, 'chat', '', created_at, created_at
      from usage_record u where not exists (select 1 from ledger_hold h where h.id = u.request_id);`);
    this.addSql(`insert into ledger_entry (account_id, reference, kind, amount, created_at)
      select case when ${IS_CHARGE} then 'sluice:revenue' else 'sluice:funding' end, reference, kind, -amount, created_at from ledger_entry;`);
    this.addSql(`drop index "ledger_entry_by_time";`);
    this.addSql(`create index "ledger_entry_by_time" on "ledger_entry" ("account_id", "created_at") where "account_id" != 'sluice:revenue';`);
  }

}
