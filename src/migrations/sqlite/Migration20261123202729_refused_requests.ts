import { Migration } from '@mikro-orm/migrations';

export class Migration20261123202729_refused_requests extends Migration {

  override name = 'Migration20261123202729_refused_requests';

  override up(): void | Promise<void> {
    this.addSql(`create table \`refused_request\` (\`id\` text not null primary key, \`account_id\` text not null, \`key_id\` text not null, \`created_at\` bigint not null, \`model\` text null, \`api\` text not null, \`code\` text not null, \`message\` text not null);`);
    this.addSql(`create index \`refused_request_account\` on \`refused_request\` (\`account_id\`, \`created_at\`, \`id\`);`);
    this.addSql(`create index \`refused_request_time\` on \`refused_request\` (\`created_at\`);`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists \`refused_request\`;`);
  }

}
