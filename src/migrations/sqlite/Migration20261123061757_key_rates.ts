import { Migration } from '@mikro-orm/migrations';

export class Migration20261123061757_key_rates extends Migration {

  override name = 'Migration20261123061757_key_rates';

  override up(): void | Promise<void> {
    this.addSql(`create table \`key_rate\` (\`id\` text not null primary key, \`minute\` bigint not null, \`taken\` bigint not null);`);

    this.addSql(`alter table \`api_key\` add column \`requests_per_minute\` integer null;`);
    this.addSql(`alter table \`api_key\` add column \`tokens_per_minute\` integer null;`);
    this.addSql(`alter table \`api_key\` add column \`rate_group\` text null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists \`key_rate\`;`);

    this.addSql(`alter table \`api_key\` drop column \`requests_per_minute\`;`);
    this.addSql(`alter table \`api_key\` drop column \`tokens_per_minute\`;`);
    this.addSql(`alter table \`api_key\` drop column \`rate_group\`;`);
  }

}
