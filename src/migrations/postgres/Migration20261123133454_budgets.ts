import { Migration } from '@mikro-orm/migrations';

export class Migration20261123133454_budgets extends Migration {

  override name = 'Migration20261123133454_budgets';

  override up(): void | Promise<void> {
    this.addSql(`alter table "ledger_budget" add "every" varchar(10) not null default 'month', add "action" varchar(10) not null default 'stop', add "warn_at" int not null default 80, add "label" varchar(100) not null default '', add "owner_id" varchar(255) null, add "models" text null;`);
    this.addSql(`create index "ledger_budget_account" on "ledger_budget" ("account_id");`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "ledger_budget_account";`);
    this.addSql(`alter table "ledger_budget" drop column "every", drop column "action", drop column "warn_at", drop column "label", drop column "owner_id", drop column "models";`);
  }

}
