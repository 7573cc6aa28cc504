import { Migration } from '@mikro-orm/migrations';

export class Migration20261121091424_initial extends Migration {

  override name = 'Migration20261121091424_initial';

  override up(): void | Promise<void> {
    this.addSql(`create table "account" ("id" varchar(40) not null, "name" varchar(200) not null, "is_administrator" boolean not null default false, "scan_tier" text not null default 'free', "cold_start_mode" text not null default 'respond', "max_concurrent_sessions" int null, "max_hourly_spend" bigint null, "created_at" bigint not null, primary key ("id"));`);

    this.addSql(`create table "api_key" ("id" varchar(40) not null, "public_id" varchar(16) not null, "account_id" varchar(40) not null, "name" varchar(200) not null, "prefix" varchar(40) not null, "secret_hash" varchar(64) not null, "scopes" varchar(100) not null, "created_at" bigint not null, "expires_at" bigint null, "revoked_at" bigint null, "last_used_at" bigint null, "replaced_by" varchar(40) null, primary key ("id"));`);
    this.addSql(`alter table "api_key" add constraint "api_key_public_id_unique" unique ("public_id");`);
    this.addSql(`create index "api_key_account" on "api_key" ("account_id");`);

    this.addSql(`create table "compute_install" ("slot" varchar(8) not null, "install_id" varchar(8) not null, primary key ("slot"));`);

    this.addSql(`create table "compute_task" ("name" varchar(64) not null, "token" varchar(64) not null, "until_ms" bigint not null, primary key ("name"));`);

    this.addSql(`create table "deployment_health" ("deployment_id" varchar(400) not null, "status" text not null, "latency_p50ms" int null, "latency_p95ms" int null, "time_to_first_token_ms" int null, "tokens_per_second_milli" int null, "error_rate_milli" int not null, "samples" int not null, "measured_at" bigint not null, primary key ("deployment_id"));`);

    this.addSql(`create table "gpu_offer_bar" ("offer_key" varchar(300) not null, "until_ms" bigint not null, primary key ("offer_key"));`);

    this.addSql(`create table "gpu_provider_circuit" ("driver_id" varchar(64) not null, "until_ms" bigint not null, primary key ("driver_id"));`);

    this.addSql(`create table "gpu_session" ("id" varchar(40) not null, "label_key" varchar(40) not null, "purpose" varchar(10) not null, "account_id" varchar(40) not null, "model_id" varchar(200) null, "wanted" varchar(12) not null, "phase" varchar(12) not null, "driver_id" varchar(64) not null, "provider_id" varchar(64) not null, "region" varchar(100) not null, "gpu_model" varchar(64) not null, "vram_gb" int not null, "gpu_count" int not null, "spot" int not null, "interruption_permille" int not null, "interruption_origin" varchar(12) not null, "price_per_gpu_hour" bigint not null, "any_provider" int not null, "any_region" int not null, "ssh_key" text null, "docker_image" text null, "fine_tuned" int not null, "attempt" int not null, "attempt_at" bigint null, "label" varchar(64) null, "instance_id" varchar(200) null, "instance_at" bigint null, "strays" text not null, "absences" int not null, "endpoint_url" text null, "endpoint_key" varchar(80) not null, "ssh_host" varchar(255) null, "ssh_port" int null, "hold_phase" varchar(10) not null, "hold_amount" bigint not null, "hold_until" bigint not null, "final_cost" bigint null, "created_at" bigint not null, "running_at" bigint null, "last_alive_at" bigint null, "last_active_at" bigint not null, "terminated_at" bigint null, "destroy_after" bigint null, "termination_reason" varchar(20) null, "estimated_ready_seconds" int not null, "create_failures" int not null, "probe_failures" int not null, "setbacks" int not null, "due_at" bigint not null, "lease_token" varchar(64) null, "lease_until" bigint not null, "version" int not null, primary key ("id"));`);
    this.addSql(`create index "gpu_session_due" on "gpu_session" ("due_at") where "phase" <> 'terminated';`);
    this.addSql(`create index "gpu_session_account" on "gpu_session" ("account_id", "created_at");`);
    this.addSql(`create index "gpu_session_model" on "gpu_session" ("model_id", "running_at");`);
    this.addSql(`create unique index "gpu_session_one_live_per_model" on "gpu_session" ("model_id") where "purpose" = 'model' and "wanted" = 'running';`);
    this.addSql(`alter table "gpu_session" add constraint "gpu_session_label_key" unique ("label_key");`);

    this.addSql(`create table "ledger_account" ("account_id" varchar(255) not null, "balance" bigint not null, "held" bigint not null, "monthly_cap" bigint null, "spent" bigint not null, "period" varchar(255) not null, primary key ("account_id"));`);

    this.addSql(`create table "ledger_entry" ("reference" text not null, "kind" varchar(255) not null, "account_id" varchar(255) not null, "amount" bigint not null, "created_at" bigint not null, primary key ("reference", "kind", "account_id"));`);
    this.addSql(`create index "ledger_entry_by_time" on "ledger_entry" ("account_id", "created_at") where "account_id" != 'sluice:revenue';`);

    this.addSql(`create table "ledger_hold" ("id" varchar(255) not null, "account_id" varchar(255) not null, "amount" bigint not null, "captured" bigint not null, "metered" bigint not null, "state" varchar(255) not null, "purpose" varchar(255) not null, "owner_id" varchar(255) not null, "key_id" varchar(255) null, "model_id" varchar(255) null, "created_at" bigint not null, "expires_at" bigint not null, primary key ("id"));`);
    this.addSql(`create index "ledger_hold_open" on "ledger_hold" ("account_id", "expires_at") where "state" = 'open';`);

    this.addSql(`create table "ledger_process" ("id" varchar(255) not null, "heartbeat_at" bigint not null, primary key ("id"));`);

    this.addSql(`create table "outbox_event" ("sequence" serial primary key, "topic" varchar(64) not null, "subject" varchar(200) not null, "payload" text not null, "created_at" bigint not null);`);
    this.addSql(`create index "outbox_event_topic_subject_sequence_index" on "outbox_event" ("topic", "subject", "sequence");`);
    this.addSql(`create index "outbox_event_created_at_index" on "outbox_event" ("created_at");`);

    this.addSql(`create table "price_version" ("id" varchar(40) not null, "price_id" varchar(400) not null, "number" int not null, "model_id" varchar(100) not null, "provider_id" varchar(100) not null, "state" text not null, "origin" text not null, "input" bigint null, "output" bigint null, "cached_input" bigint null, "cost_input" bigint null, "cost_output" bigint null, "cost_cached_input" bigint null, "declared" varchar(200) not null, "source" varchar(100) null, "reason" varchar(500) null, "valid_from" bigint not null, primary key ("id"));`);
    this.addSql(`create index "price_version_state" on "price_version" ("state");`);
    this.addSql(`create index "price_version_model" on "price_version" ("model_id", "valid_from");`);
    this.addSql(`alter table "price_version" add constraint "price_version_number" unique ("price_id", "number");`);

    this.addSql(`create table "rent_idempotency_key" ("account_id" varchar(40) not null, "key" varchar(255) not null, "request_hash" varchar(64) not null, "session_id" varchar(40) not null, "expires_at" bigint not null, primary key ("account_id", "key"));`);

    this.addSql(`create table "scan" ("id" varchar(40) not null, "account_id" varchar(40) not null, "status" varchar(12) not null, "file_count" int not null, "files_done" int not null, "critical" int not null, "high" int not null, "medium" int not null, "low" int not null, "standards" text not null, "files" text null, "error" text null, "created_at" bigint not null, "finished_at" bigint null, primary key ("id"));`);
    this.addSql(`create index "scan_account" on "scan" ("account_id", "id");`);
    this.addSql(`create index "scan_created" on "scan" ("created_at");`);

    this.addSql(`create table "scan_rate_limit" ("key" varchar(255) not null, "points" int not null default 0, "expire" bigint null, primary key ("key"));`);

    this.addSql(`create table "usage_record" ("request_id" varchar(255) not null, "account_id" varchar(255) not null, "key_id" varchar(255) not null, "model_id" varchar(255) not null, "deployment_id" varchar(255) null, "price_version_id" varchar(255) null, "input_tokens" int not null, "cached_input_tokens" int not null, "output_tokens" int not null, "usage_source" varchar(255) not null, "cost" bigint not null, "provider_cost" bigint null, "ended_as" varchar(255) not null, "route" text null, "created_at" bigint not null, "first_token_ms" int null, "duration_ms" int not null, primary key ("request_id"));`);
    this.addSql(`create index "usage_record_by_time" on "usage_record" ("account_id", "created_at");`);
    this.addSql(`create index "usage_record_by_deployment" on "usage_record" ("deployment_id");`);

    this.addSql(`alter table "account" add constraint "account_scan_tier_check" check ("scan_tier" in ('free', 'pro', 'enterprise'));`);
    this.addSql(`alter table "account" add constraint "account_cold_start_mode_check" check ("cold_start_mode" in ('respond', 'retry', 'wait'));`);

    this.addSql(`alter table "deployment_health" add constraint "deployment_health_status_check" check ("status" in ('healthy', 'degraded', 'down'));`);

    this.addSql(`alter table "ledger_account" add constraint "ledger_account_covers_holds" check (held >= 0 and balance >= held);`);

    this.addSql(`alter table "ledger_hold" add constraint "ledger_hold_within" check (captured >= 0 and captured <= amount and metered <= amount);`);

    this.addSql(`alter table "price_version" add constraint "price_version_state_check" check ("state" in ('current', 'past', 'pending', 'dismissed'));`);
    this.addSql(`alter table "price_version" add constraint "price_version_origin_check" check ("origin" in ('config', 'feed', 'administrator'));`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "account" cascade;`);
    this.addSql(`drop table if exists "api_key" cascade;`);
    this.addSql(`drop table if exists "compute_install" cascade;`);
    this.addSql(`drop table if exists "compute_task" cascade;`);
    this.addSql(`drop table if exists "deployment_health" cascade;`);
    this.addSql(`drop table if exists "gpu_offer_bar" cascade;`);
    this.addSql(`drop table if exists "gpu_provider_circuit" cascade;`);
    this.addSql(`drop table if exists "gpu_session" cascade;`);
    this.addSql(`drop table if exists "ledger_account" cascade;`);
    this.addSql(`drop table if exists "ledger_entry" cascade;`);
    this.addSql(`drop table if exists "ledger_hold" cascade;`);
    this.addSql(`drop table if exists "ledger_process" cascade;`);
    this.addSql(`drop table if exists "outbox_event" cascade;`);
    this.addSql(`drop table if exists "price_version" cascade;`);
    this.addSql(`drop table if exists "rent_idempotency_key" cascade;`);
    this.addSql(`drop table if exists "scan" cascade;`);
    this.addSql(`drop table if exists "scan_rate_limit" cascade;`);
    this.addSql(`drop table if exists "usage_record" cascade;`);
  }

}
