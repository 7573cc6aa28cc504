import { Migration } from '@mikro-orm/migrations';

export class Migration20261123085106_webhooks extends Migration {

  override name = 'Migration20261123085106_webhooks';

  override up(): void | Promise<void> {
    this.addSql(`create table "webhook" ("id" varchar(40) not null, "name" varchar(200) not null, "url" text not null, "types" varchar(500) null, "secret" varchar(100) not null, "after_sequence" int not null, "created_at" bigint not null, "off_since" bigint null, "off_because" varchar(20) null, primary key ("id"));`);

    this.addSql(`create table "webhook_delivery" ("id" varchar(40) not null, "webhook_id" varchar(40) not null, "sequence" int not null, "type" varchar(40) not null, "subject" varchar(200) not null, "data" text not null, "occurred_at" bigint not null, "state" varchar(10) not null, "queued_at" bigint not null, "attempts" int not null, "due_at" bigint not null, "attempted_at" bigint null, "answered" int null, "failure" varchar(300) null, "ended_at" bigint null, "lease_token" varchar(40) null, "lease_until" bigint not null, primary key ("id"));`);
    this.addSql(`create index "webhook_delivery_waiting" on "webhook_delivery" ("webhook_id", "subject", "sequence") where "state" = 'pending';`);
    this.addSql(`create index "webhook_delivery_state" on "webhook_delivery" ("webhook_id", "state", "sequence");`);
    this.addSql(`create index "webhook_delivery_ended" on "webhook_delivery" ("ended_at");`);
    this.addSql(`alter table "webhook_delivery" add constraint "webhook_delivery_once" unique ("webhook_id", "sequence");`);

    this.addSql(`create table "webhook_reader" ("id" varchar(20) not null, "sequence" int not null, primary key ("id"));`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "webhook" cascade;`);
    this.addSql(`drop table if exists "webhook_delivery" cascade;`);
    this.addSql(`drop table if exists "webhook_reader" cascade;`);
  }

}
