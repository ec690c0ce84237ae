import { Migration } from "@mikro-orm/migrations";

/** Adds the merges of accounts of one customer. */
export class Migration0159 extends Migration {
  override up(): void {
    this.addSql(
      `create table "account_merges" ("id" uuid not null, "kept_id" uuid not null, "merged_id" uuid not null, "moved" jsonb not null, "took_trial" boolean not null, "merged_by_id" uuid null, "merged_at" timestamptz not null, "undone_at" timestamptz null, primary key ("id"))`,
    );
    this.addSql(`create index "account_merges_kept_id_index" on "account_merges" ("kept_id")`);
    this.addSql(`create index "account_merges_merged_id_index" on "account_merges" ("merged_id")`);
    this.addSql(
      `create unique index account_merges_one_a_merged_account on account_merges (merged_id) where undone_at is null`,
    );
    for (const column of ["kept_id", "merged_id"])
      this.addSql(
        `alter table "account_merges" add constraint "account_merges_${column}_foreign" foreign key ("${column}") references "users" ("id") on delete cascade`,
      );
  }
}
