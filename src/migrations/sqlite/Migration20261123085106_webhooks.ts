import { Migration } from '@mikro-orm/migrations';

export class Migration20261123085106_webhooks extends Migration {

  override name = 'Migration20261123085106_webhooks';

  override up(): void | Promise<void> {
    this.addSql(`create table \`webhook\` (\`id\` text not null primary key, \`name\` text not null, \`url\` text not null, \`types\` text null, \`secret\` text not null, \`after_sequence\` integer not null, \`created_at\` bigint not null, \`off_since\` bigint null, \`off_because\` text null);`);

    this.addSql(`create table \`webhook_delivery\` (\`id\` text not null primary key, \`webhook_id\` text not null, \`sequence\` integer not null, \`type\` text not null, \`subject\` text not null, \`data\` text not null, \`occurred_at\` bigint not null, \`state\` text not null, \`queued_at\` bigint not null, \`attempts\` integer not null, \`due_at\` bigint not null, \`attempted_at\` bigint null, \`answered\` integer null, \`failure\` text null, \`ended_at\` bigint null, \`lease_token\` text null, \`lease_until\` bigint not null);`);
    this.addSql(`create index \`webhook_delivery_waiting\` on \`webhook_delivery\` (\`webhook_id\`, \`subject\`, \`sequence\`) where \`state\` = 'pending';`);
    this.addSql(`create index \`webhook_delivery_state\` on \`webhook_delivery\` (\`webhook_id\`, \`state\`, \`sequence\`);`);
    this.addSql(`create index \`webhook_delivery_ended\` on \`webhook_delivery\` (\`ended_at\`);`);
    this.addSql(`create unique index \`webhook_delivery_once\` on \`webhook_delivery\` (\`webhook_id\`, \`sequence\`);`);

    this.addSql(`create table \`webhook_reader\` (\`id\` text not null primary key, \`sequence\` integer not null);`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists \`webhook\`;`);
    this.addSql(`drop table if exists \`webhook_delivery\`;`);
    this.addSql(`drop table if exists \`webhook_reader\`;`);
  }

}
