import { Migration } from '@mikro-orm/migrations';

export class Migration20261122143111_key_models extends Migration {

  override name = 'Migration20261122143111_key_models';

  override up(): void | Promise<void> {
    this.addSql(`alter table \`api_key\` add column \`models\` text null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table \`api_key\` drop column \`models\`;`);
  }

}
