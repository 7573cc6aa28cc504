import { Migration } from '@mikro-orm/migrations';

export class Migration20261125043319_leases extends Migration {

  override name = 'Migration20261125043319_leases';

  override up(): void | Promise<void> {
    this.addSql(`create table "ledger_lease" ("process_id" varchar(255) not null, "account_id" varchar(255) not null, "epoch" int not null, "amount" bigint not null, "expires_at" bigint not null, "wanted" int not null, primary key ("process_id", "account_id"));`);
    this.addSql(`create index "ledger_lease_account" on "ledger_lease" ("account_id");`);
    this.addSql(`create index "ledger_lease_expiry" on "ledger_lease" ("expires_at");`);

    this.addSql(`alter table "ledger_account" add "leased" bigint not null default '0';`);

    this.addSql(`alter table "ledger_process" add "knows_leases" int not null default 0;`);

    this.addSql(`alter table "ledger_lease" add constraint "ledger_lease_amount" check (amount >= 0);`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "ledger_lease" cascade;`);

    this.addSql(`alter table "ledger_account" drop column "leased";`);

    this.addSql(`alter table "ledger_process" drop column "knows_leases";`);
  }

}
