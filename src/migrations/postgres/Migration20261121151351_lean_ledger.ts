import { Migration } from '@mikro-orm/migrations';

export class Migration20261121151351_lean_ledger extends Migration {

  override name = 'Migration20261121151351_lean_ledger';

  override up(): void | Promise<void> {
    this.addSql(`drop index "usage_record_by_deployment";`);
    this.addSql(`create index "usage_record_by_session" on "usage_record" ("deployment_id") where "deployment_id" > 'gses' and "deployment_id" < 'gset';`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "usage_record_by_session";`);
    this.addSql(`create index "usage_record_by_deployment" on "usage_record" ("deployment_id");`);
  }

}
