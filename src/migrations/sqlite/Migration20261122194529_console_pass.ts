import { Migration } from '@mikro-orm/migrations';

export class Migration20261122194529_console_pass extends Migration {

  override name = 'Migration20261122194529_console_pass';

  override up(): void | Promise<void> {
    this.addSql(`create table \`console_pass\` (\`hash\` text not null primary key, \`kind\` text not null, \`public_id\` text not null, \`expires_at\` bigint not null);`);
    this.addSql(`create index \`console_pass_expiry\` on \`console_pass\` (\`expires_at\`);`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists \`console_pass\`;`);
  }

}
