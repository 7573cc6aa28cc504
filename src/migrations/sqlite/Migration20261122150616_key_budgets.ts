import { Migration } from '@mikro-orm/migrations';

export class Migration20261122150616_key_budgets extends Migration {

  override name = 'Migration20261122150616_key_budgets';

  override up(): void | Promise<void> {
    this.addSql(`create table \`ledger_budget\` (\`id\` text not null primary key, \`account_id\` text not null, \`monthly_cap\` bigint null, \`held\` bigint not null, \`spent\` bigint not null, \`period\` text not null, constraint \`ledger_budget_counts\` check (held >= 0 and spent >= 0));`);

    this.addSql(`alter table \`api_key\` add column \`budget_id\` text null;`);

    this.addSql(`alter table \`ledger_entry\` add column \`budget_id\` text null;`);

    this.addSql(`alter table \`ledger_hold\` add column \`budget_id\` text null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists \`ledger_budget\`;`);

    this.addSql(`alter table \`api_key\` drop column \`budget_id\`;`);

    this.addSql(`alter table \`ledger_entry\` drop column \`budget_id\`;`);

    this.addSql(`alter table \`ledger_hold\` drop column \`budget_id\`;`);
  }

}
