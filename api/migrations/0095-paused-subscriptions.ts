import { Migration } from "@mikro-orm/migrations";

/** Adds pauses of subscriptions, and the paid time that a pause moved. */
export class Migration0095 extends Migration {
  override up(): void {
    this.addSql(
      `alter table "subscriptions" add column "paused_until" timestamptz null, add column "moved_until" timestamptz null`,
    );
    this.addSql(`alter table "subscription_actions" add column "pause_until" timestamptz null`);
    this.addSql(
      `create table "subscription_pauses" ("id" uuid not null, "subscription_id" uuid not null, "paused_at" timestamptz not null, "until" timestamptz not null, "ended_at" timestamptz null, primary key ("id"))`,
    );
    this.addSql(
      `create index "subscription_pauses_subscription_id_index" on "subscription_pauses" ("subscription_id")`,
    );
    this.addSql(
      `create unique index subscription_pauses_running on subscription_pauses (subscription_id) where ended_at is null`,
    );
    this.addSql(
      `alter table "subscription_pauses" add constraint "subscription_pauses_subscription_id_foreign" foreign key ("subscription_id") references "subscriptions" ("id") on delete cascade`,
    );
  }
}
