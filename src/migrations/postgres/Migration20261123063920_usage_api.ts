import { Migration } from '@mikro-orm/migrations';

export class Migration20261123063920_usage_api extends Migration {

  override name = 'Migration20261123063920_usage_api';

  override up(): void | Promise<void> {
    this.addSql(`alter table "usage_record" add "api" varchar(255) null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "usage_record" drop column "api";`);
  }

}
