import { Migration } from '@mikro-orm/migrations';

export class Migration20261123061757_key_rates extends Migration {

  override name = 'Migration20261123061757_key_rates';

  override up(): void | Promise<void> {
    this.addSql(`create table "key_rate" ("id" varchar(60) not null, "minute" bigint not null, "taken" bigint not null, primary key ("id"));`);

    this.addSql(`alter table "api_key" add "requests_per_minute" int null, add "tokens_per_minute" int null, add "rate_group" varchar(40) null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "key_rate" cascade;`);

    this.addSql(`alter table "api_key" drop column "requests_per_minute", drop column "tokens_per_minute", drop column "rate_group";`);
  }

}
