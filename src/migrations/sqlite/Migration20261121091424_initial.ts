import { Migration } from '@mikro-orm/migrations';

export class Migration20261121091424_initial extends Migration {

  override name = 'Migration20261121091424_initial';

  override up(): void | Promise<void> {
    this.addSql(`create table \`account\` (\`id\` text not null primary key, \`name\` text not null, \`is_administrator\` integer not null default false, \`scan_tier\` text check (\`scan_tier\` in ('free', 'pro', 'enterprise')) not null default 'free', \`cold_start_mode\` text check (\`cold_start_mode\` in ('respond', 'retry', 'wait')) not null default 'respond', \`max_concurrent_sessions\` integer null, \`max_hourly_spend\` bigint null, \`created_at\` bigint not null);`);

    this.addSql(`create table \`api_key\` (\`id\` text not null primary key, \`public_id\` text not null, \`account_id\` text not null, \`name\` text not null, \`prefix\` text not null, \`secret_hash\` text not null, \`scopes\` text not null, \`created_at\` bigint not null, \`expires_at\` bigint null, \`revoked_at\` bigint null, \`last_used_at\` bigint null, \`replaced_by\` text null);`);
    this.addSql(`create unique index \`api_key_public_id_unique\` on \`api_key\` (\`public_id\`);`);
    this.addSql(`create index \`api_key_account\` on \`api_key\` (\`account_id\`);`);

    this.addSql(`create table \`compute_install\` (\`slot\` text not null primary key, \`install_id\` text not null);`);

    this.addSql(`create table \`compute_task\` (\`name\` text not null primary key, \`token\` text not null, \`until_ms\` bigint not null);`);

    this.addSql(`create table \`deployment_health\` (\`deployment_id\` text not null primary key, \`status\` text check (\`status\` in ('healthy', 'degraded', 'down')) not null, \`latency_p50ms\` integer null, \`latency_p95ms\` integer null, \`time_to_first_token_ms\` integer null, \`tokens_per_second_milli\` integer null, \`error_rate_milli\` integer not null, \`samples\` integer not null, \`measured_at\` bigint not null);`);

    this.addSql(`create table \`gpu_offer_bar\` (\`offer_key\` text not null primary key, \`until_ms\` bigint not null);`);

    this.addSql(`create table \`gpu_provider_circuit\` (\`driver_id\` text not null primary key, \`until_ms\` bigint not null);`);

    this.addSql(`create table \`gpu_session\` (\`id\` text not null primary key, \`label_key\` text not null, \`purpose\` text not null, \`account_id\` text not null, \`model_id\` text null, \`wanted\` text not null, \`phase\` text not null, \`driver_id\` text not null, \`provider_id\` text not null, \`region\` text not null, \`gpu_model\` text not null, \`vram_gb\` integer not null, \`gpu_count\` integer not null, \`spot\` integer not null, \`interruption_permille\` integer not null, \`interruption_origin\` text not null, \`price_per_gpu_hour\` bigint not null, \`any_provider\` integer not null, \`any_region\` integer not null, \`ssh_key\` text null, \`docker_image\` text null, \`fine_tuned\` integer not null, \`attempt\` integer not null, \`attempt_at\` bigint null, \`label\` text null, \`instance_id\` text null, \`instance_at\` bigint null, \`strays\` text not null, \`absences\` integer not null, \`endpoint_url\` text null, \`endpoint_key\` text not null, \`ssh_host\` text null, \`ssh_port\` integer null, \`hold_phase\` text not null, \`hold_amount\` bigint not null, \`hold_until\` bigint not null, \`final_cost\` bigint null, \`created_at\` bigint not null, \`running_at\` bigint null, \`last_alive_at\` bigint null, \`last_active_at\` bigint not null, \`terminated_at\` bigint null, \`destroy_after\` bigint null, \`termination_reason\` text null, \`estimated_ready_seconds\` integer not null, \`create_failures\` integer not null, \`probe_failures\` integer not null, \`setbacks\` integer not null, \`due_at\` bigint not null, \`lease_token\` text null, \`lease_until\` bigint not null, \`version\` integer not null);`);
    this.addSql(`create index "gpu_session_due" on "gpu_session" ("due_at") where "phase" <> 'terminated';`);
    this.addSql(`create index \`gpu_session_account\` on \`gpu_session\` (\`account_id\`, \`created_at\`);`);
    this.addSql(`create index \`gpu_session_model\` on \`gpu_session\` (\`model_id\`, \`running_at\`);`);
    this.addSql(`create unique index "gpu_session_one_live_per_model" on "gpu_session" ("model_id") where "purpose" = 'model' and "wanted" = 'running';`);
    this.addSql(`create unique index \`gpu_session_label_key\` on \`gpu_session\` (\`label_key\`);`);

    this.addSql(`create table \`ledger_account\` (\`account_id\` text not null primary key, \`balance\` bigint not null, \`held\` bigint not null, \`monthly_cap\` bigint null, \`spent\` bigint not null, \`period\` text not null, constraint \`ledger_account_covers_holds\` check (held >= 0 and balance >= held));`);

    this.addSql(`create table \`ledger_entry\` (\`reference\` text not null, \`kind\` text not null, \`account_id\` text not null, \`amount\` bigint not null, \`created_at\` bigint not null, primary key (\`reference\`, \`kind\`, \`account_id\`));`);
    this.addSql(`create index \`ledger_entry_by_time\` on \`ledger_entry\` (\`account_id\`, \`created_at\`) where \`account_id\` != 'sluice:revenue';`);

    this.addSql(`create table \`ledger_hold\` (\`id\` text not null primary key, \`account_id\` text not null, \`amount\` bigint not null, \`captured\` bigint not null, \`metered\` bigint not null, \`state\` text not null, \`purpose\` text not null, \`owner_id\` text not null, \`key_id\` text null, \`model_id\` text null, \`created_at\` bigint not null, \`expires_at\` bigint not null, constraint \`ledger_hold_within\` check (captured >= 0 and captured <= amount and metered <= amount));`);
    this.addSql(`create index \`ledger_hold_open\` on \`ledger_hold\` (\`account_id\`, \`expires_at\`) where \`state\` = 'open';`);

    this.addSql(`create table \`ledger_process\` (\`id\` text not null primary key, \`heartbeat_at\` bigint not null);`);

    this.addSql(`create table \`outbox_event\` (\`sequence\` integer not null primary key autoincrement, \`topic\` text not null, \`subject\` text not null, \`payload\` text not null, \`created_at\` bigint not null);`);
    this.addSql(`create index \`outbox_event_topic_subject_sequence_index\` on \`outbox_event\` (\`topic\`, \`subject\`, \`sequence\`);`);
    this.addSql(`create index \`outbox_event_created_at_index\` on \`outbox_event\` (\`created_at\`);`);

    this.addSql(`create table \`price_version\` (\`id\` text not null primary key, \`price_id\` text not null, \`number\` integer not null, \`model_id\` text not null, \`provider_id\` text not null, \`state\` text check (\`state\` in ('current', 'past', 'pending', 'dismissed')) not null, \`origin\` text check (\`origin\` in ('config', 'feed', 'administrator')) not null, \`input\` bigint null, \`output\` bigint null, \`cached_input\` bigint null, \`cost_input\` bigint null, \`cost_output\` bigint null, \`cost_cached_input\` bigint null, \`declared\` text not null, \`source\` text null, \`reason\` text null, \`valid_from\` bigint not null);`);
    this.addSql(`create index \`price_version_state\` on \`price_version\` (\`state\`);`);
    this.addSql(`create index \`price_version_model\` on \`price_version\` (\`model_id\`, \`valid_from\`);`);
    this.addSql(`create unique index \`price_version_number\` on \`price_version\` (\`price_id\`, \`number\`);`);

    this.addSql(`create table \`rent_idempotency_key\` (\`account_id\` text not null, \`key\` text not null, \`request_hash\` text not null, \`session_id\` text not null, \`expires_at\` bigint not null, primary key (\`account_id\`, \`key\`));`);

    this.addSql(`create table \`scan\` (\`id\` text not null primary key, \`account_id\` text not null, \`status\` text not null, \`file_count\` integer not null, \`files_done\` integer not null, \`critical\` integer not null, \`high\` integer not null, \`medium\` integer not null, \`low\` integer not null, \`standards\` text not null, \`files\` text null, \`error\` text null, \`created_at\` bigint not null, \`finished_at\` bigint null);`);
    this.addSql(`create index \`scan_account\` on \`scan\` (\`account_id\`, \`id\`);`);
    this.addSql(`create index \`scan_created\` on \`scan\` (\`created_at\`);`);

    this.addSql(`create table \`scan_rate_limit\` (\`key\` text not null primary key, \`points\` integer not null default 0, \`expire\` bigint null);`);

    this.addSql(`create table \`usage_record\` (\`request_id\` text not null primary key, \`account_id\` text not null, \`key_id\` text not null, \`model_id\` text not null, \`deployment_id\` text null, \`price_version_id\` text null, \`input_tokens\` integer not null, \`cached_input_tokens\` integer not null, \`output_tokens\` integer not null, \`usage_source\` text not null, \`cost\` bigint not null, \`provider_cost\` bigint null, \`ended_as\` text not null, \`route\` text null, \`created_at\` bigint not null, \`first_token_ms\` integer null, \`duration_ms\` integer not null);`);
    this.addSql(`create index \`usage_record_by_time\` on \`usage_record\` (\`account_id\`, \`created_at\`);`);
    this.addSql(`create index \`usage_record_by_deployment\` on \`usage_record\` (\`deployment_id\`);`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists \`account\`;`);
    this.addSql(`drop table if exists \`api_key\`;`);
    this.addSql(`drop table if exists \`compute_install\`;`);
    this.addSql(`drop table if exists \`compute_task\`;`);
    this.addSql(`drop table if exists \`deployment_health\`;`);
    this.addSql(`drop table if exists \`gpu_offer_bar\`;`);
    this.addSql(`drop table if exists \`gpu_provider_circuit\`;`);
    this.addSql(`drop table if exists \`gpu_session\`;`);
    this.addSql(`drop table if exists \`ledger_account\`;`);
    this.addSql(`drop table if exists \`ledger_entry\`;`);
    this.addSql(`drop table if exists \`ledger_hold\`;`);
    this.addSql(`drop table if exists \`ledger_process\`;`);
    this.addSql(`drop table if exists \`outbox_event\`;`);
    this.addSql(`drop table if exists \`price_version\`;`);
    this.addSql(`drop table if exists \`rent_idempotency_key\`;`);
    this.addSql(`drop table if exists \`scan\`;`);
    this.addSql(`drop table if exists \`scan_rate_limit\`;`);
    this.addSql(`drop table if exists \`usage_record\`;`);
  }

}
