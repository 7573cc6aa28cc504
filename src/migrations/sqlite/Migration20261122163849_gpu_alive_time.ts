import { Migration } from '@mikro-orm/migrations';

/** What a session has run is kept as a sum, no longer as the difference of two times that a clock may have been set between. */
export class Migration20261122163849_gpu_alive_time extends Migration {

  override name = 'Migration20261122163849_gpu_alive_time';

  override up(): void | Promise<void> {
    this.addSql(`alter table \`gpu_session\` add column \`alive_ms\` bigint not null default '0';`);
    this.addSql(`update gpu_session set alive_ms = last_alive_at - running_at where last_alive_at > running_at;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table \`gpu_session\` drop column \`alive_ms\`;`);
  }

}
