import { Migration } from "@mikro-orm/migrations";

/** Adds the actions of staff on subscriptions, and the date until which staff extended a subscription's licence. */
export class Migration0084 extends Migration {
  override up(): void {
    this.addSql(`alter table "subscriptions" add column "licence_extended_until" timestamptz null`);
    this.addSql(
      `create table "subscription_actions" ("id" uuid not null, "key" uuid not null, "kind" varchar(255) not null, "subscription_id" uuid not null, "days" int null, "reason" text null, "status" varchar(255) not null, "message" varchar(255) null, "requested_by_id" uuid not null, "created_at" timestamptz not null, "finished_at" timestamptz null, primary key ("id"))`,
    );
    this.addSql(`alter table "subscription_actions" add constraint "subscription_actions_key_unique" unique ("key")`);
    for (const column of ["subscription_id", "requested_by_id"])
      this.addSql(`create index "subscription_actions_${column}_index" on "subscription_actions" ("${column}")`);
    this.addSql(
      `create unique index subscription_actions_one_pending on subscription_actions (subscription_id) where status = 'PENDING'`,
    );
    this.addSql(
      `alter table "subscription_actions" add constraint "subscription_actions_subscription_id_foreign" foreign key ("subscription_id") references "subscriptions" ("id"), add constraint "subscription_actions_requested_by_id_foreign" foreign key ("requested_by_id") references "users" ("id")`,
    );
  }
}
