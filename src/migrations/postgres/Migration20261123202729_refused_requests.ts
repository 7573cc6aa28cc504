import { Migration } from '@mikro-orm/migrations';

export class Migration20261123202729_refused_requests extends Migration {

  override name = 'Migration20261123202729_refused_requests';

  override up(): void | Promise<void> {
    this.addSql(`create table "refused_request" ("id" varchar(100) not null, "account_id" varchar(40) not null, "key_id" varchar(40) not null, "created_at" bigint not null, "model" varchar(200) null, "api" varchar(20) not null, "code" varchar(40) not null, "message" varchar(300) not null, primary key ("id"));`);
    this.addSql(`create index "refused_request_account" on "refused_request" ("account_id", "created_at", "id");`);
    this.addSql(`create index "refused_request_time" on "refused_request" ("created_at");`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "refused_request" cascade;`);
  }

}
