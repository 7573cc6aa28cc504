import { Migration } from '@mikro-orm/migrations';

export class Migration20261123190536_webhook_secrets extends Migration {

  override name = 'Migration20261123190536_webhook_secrets';

  override up(): void | Promise<void> {
    this.addSql(`alter table "webhook" add "earlier_secret" varchar(100) null, add "earlier_secret_until" bigint null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "webhook" drop column "earlier_secret", drop column "earlier_secret_until";`);
  }

}
