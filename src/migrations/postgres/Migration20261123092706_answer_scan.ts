import { Migration } from '@mikro-orm/migrations';

export class Migration20261123092706_answer_scan extends Migration {

  override name = 'Migration20261123092706_answer_scan';

  override up(): void | Promise<void> {
    this.addSql(`alter table "api_key" add "answer_scan" text null;`);

    this.addSql(`alter table "usage_record" add "code_findings" int null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "api_key" drop column "answer_scan";`);

    this.addSql(`alter table "usage_record" drop column "code_findings";`);
  }

}
