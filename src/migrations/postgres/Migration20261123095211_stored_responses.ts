import { Migration } from '@mikro-orm/migrations';

export class Migration20261123095211_stored_responses extends Migration {

  override name = 'Migration20261123095211_stored_responses';

  override up(): void | Promise<void> {
    this.addSql(`create table "stored_response" ("id" varchar(80) not null, "account_id" varchar(40) not null, "previous_id" varchar(80) null, "conversation_id" varchar(80) not null, "created_at" bigint not null, "size" int not null, "response" text not null, "items" text not null, primary key ("id"));`);
    this.addSql(`create index "stored_response_account" on "stored_response" ("account_id", "created_at");`);
    this.addSql(`create index "stored_response_conversation" on "stored_response" ("conversation_id");`);
    this.addSql(`create index "stored_response_created" on "stored_response" ("created_at");`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "stored_response" cascade;`);
  }

}
