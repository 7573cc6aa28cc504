import { Migration } from '@mikro-orm/migrations';

export class Migration20261123190536_webhook_secrets extends Migration {

  override name = 'Migration20261123190536_webhook_secrets';

  override up(): void | Promise<void> {
    this.addSql(`alter table \`webhook\` add column \`earlier_secret\` text null;`);
    this.addSql(`alter table \`webhook\` add column \`earlier_secret_until\` bigint null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table \`webhook\` drop column \`earlier_secret\`;`);
    this.addSql(`alter table \`webhook\` drop column \`earlier_secret_until\`;`);
  }

}
