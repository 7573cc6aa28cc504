import { Migration } from '@mikro-orm/migrations';

export class Migration20261123092527_notice_mark extends Migration {

  override name = 'Migration20261123092527_notice_mark';

  override up(): void | Promise<void> {
    this.addSql(`create table "notice_mark" ("kind" varchar(40) not null, "subject" varchar(200) not null, "state" varchar(200) not null, "marked_at" bigint not null, primary key ("kind", "subject"));`);
    this.addSql(`create index "notice_mark_kind_marked_at_index" on "notice_mark" ("kind", "marked_at");`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "notice_mark" cascade;`);
  }

}
