import { Migration } from '@mikro-orm/migrations';

export class Migration20261122150616_key_budgets extends Migration {

  override name = 'Migration20261122150616_key_budgets';

  override up(): void | Promise<void> {
    this.addSql(`create table "ledger_budget" ("id" varchar(255) not null, "account_id" varchar(255) not null, "monthly_cap" bigint null, "held" bigint not null, "spent" bigint not null, "period" varchar(255) not null, primary key ("id"));`);

    this.addSql(`alter table "api_key" add "budget_id" varchar(40) null;`);

    this.addSql(`alter table "ledger_entry" add "budget_id" varchar(255) null;`);

    this.addSql(`alter table "ledger_hold" add "budget_id" varchar(255) null;`);

    this.addSql(`alter table "ledger_budget" add constraint "ledger_budget_counts" check (held >= 0 and spent >= 0);`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "ledger_budget" cascade;`);

    this.addSql(`alter table "api_key" drop column "budget_id";`);

    this.addSql(`alter table "ledger_entry" drop column "budget_id";`);

    this.addSql(`alter table "ledger_hold" drop column "budget_id";`);
  }

}
