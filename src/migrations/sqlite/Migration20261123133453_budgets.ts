import { Migration } from '@mikro-orm/migrations';

export class Migration20261123133453_budgets extends Migration {

  override name = 'Migration20261123133453_budgets';

  override up(): void | Promise<void> {
    this.addSql(`alter table \`ledger_budget\` add column \`every\` text not null default 'month';`);
    this.addSql(`alter table \`ledger_budget\` add column \`action\` text not null default 'stop';`);
    this.addSql(`alter table \`ledger_budget\` add column \`warn_at\` integer not null default 80;`);
    this.addSql(`alter table \`ledger_budget\` add column \`label\` text not null default '';`);
    this.addSql(`alter table \`ledger_budget\` add column \`owner_id\` text null;`);
    this.addSql(`alter table \`ledger_budget\` add column \`models\` text null;`);
    this.addSql(`create index \`ledger_budget_account\` on \`ledger_budget\` (\`account_id\`);`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index \`ledger_budget_account\`;`);
    this.addSql(`alter table \`ledger_budget\` drop column \`every\`;`);
    this.addSql(`alter table \`ledger_budget\` drop column \`action\`;`);
    this.addSql(`alter table \`ledger_budget\` drop column \`warn_at\`;`);
    this.addSql(`alter table \`ledger_budget\` drop column \`label\`;`);
    this.addSql(`alter table \`ledger_budget\` drop column \`owner_id\`;`);
    this.addSql(`alter table \`ledger_budget\` drop column \`models\`;`);
  }

}
