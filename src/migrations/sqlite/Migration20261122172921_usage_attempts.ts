import { Migration } from '@mikro-orm/migrations';

export class Migration20261122172921_usage_attempts extends Migration {

  override name = 'Migration20261122172921_usage_attempts';

  override up(): void | Promise<void> {
    this.addSql(`alter table \`usage_record\` add column \`attempts\` integer null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table \`usage_record\` drop column \`attempts\`;`);
  }

}
