import { Migration } from '@mikro-orm/migrations';

export class Migration20261122174456_rental_label extends Migration {

  override name = 'Migration20261122174456_rental_label';

  override up(): void | Promise<void> {
    this.addSql(`alter table "gpu_session" add "renter_label" varchar(100) null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "gpu_session" drop column "renter_label";`);
  }

}
