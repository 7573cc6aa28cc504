import { Migration } from '@mikro-orm/migrations';

const HOLD = `(\`id\` text not null primary key, \`account_id\` text not null, \`amount\` bigint not null, \`captured\` bigint not null, \`metered\` bigint not null, \`state\` text not null, \`purpose\` text not null, \`owner_id\` text not null, \`key_id\` text null, \`model_id\` text null, \`created_at\` bigint not null, \`expires_at\` bigint not null, constraint \`ledger_hold_within\` check (captured >= 0 and captured <= amount and metered <= amount))`;
const ENTRY = `(\`reference\` text not null, \`kind\` text not null, \`account_id\` text not null, \`amount\` bigint not null, \`created_at\` bigint not null, primary key (\`reference\`, \`kind\`, \`account_id\`))`;

/** Holds and entries are found by their text keys alone: without row numbers the key's tree is the table, and a charge writes two trees less (three with the index). */
export class Migration20261121151351_lean_ledger extends Migration {

  override name = 'Migration20261121151351_lean_ledger';

  override up(): void | Promise<void> {
    this.addSql(`drop index \`usage_record_by_deployment\`;`);
    this.addSql(`create index \`usage_record_by_session\` on \`usage_record\` (\`deployment_id\`) where \`deployment_id\` > 'gses' and \`deployment_id\` < 'gset';`);
    this.rebuild('without rowid');
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index \`usage_record_by_session\`;`);
    this.addSql(`create index \`usage_record_by_deployment\` on \`usage_record\` (\`deployment_id\`);`);
    this.rebuild('');
  }

  private rebuild(options: string): void {
    for (const [table, columns] of [['ledger_hold', HOLD], ['ledger_entry', ENTRY]] as const) {
      this.addSql(`alter table \`${table}\` rename to \`${table}_before\`;`);
      this.addSql(`create table \`${table}\` ${columns} ${options};`);
      this.addSql(`insert into \`${table}\` select * from \`${table}_before\`;`);
      this.addSql(`drop table \`${table}_before\`;`);
    }
    this.addSql(`create index \`ledger_hold_open\` on \`ledger_hold\` (\`account_id\`, \`expires_at\`) where \`state\` = 'open';`);
    this.addSql(`create index \`ledger_entry_by_time\` on \`ledger_entry\` (\`account_id\`, \`created_at\`) where \`account_id\` != 'sluice:revenue';`);
  }

}
