import { Migration } from "@mikro-orm/migrations";

/**
 * Adds the number of a stage's offer and its manifest signed offline, the request for publishing a build by a second admin,
 * and the signature of a build's installer; null for builds uploaded before it was checked.
 */
export class Migration0080 extends Migration {
  override up(): void {
    this.addSql(`alter table "software_channels" add column "sequence" int not null default 0`);
    this.addSql(`alter table "software_channels" add column "manifest" text null`);
    this.addSql(`alter table "software_builds" add column "signature" jsonb null`);
    this.addSql(`alter table "software_builds" add column "publishing_requested_by_id" uuid null`);
    this.addSql(`alter table "software_builds" add column "publishing_requested_at" timestamptz null`);
    this.addSql(
      `alter table "software_builds" add constraint "software_builds_publishing_requested_by_id_foreign" foreign key ("publishing_requested_by_id") references "users" ("id") on delete set null`,
    );
    this.addSql(
      `create index "software_builds_publishing_requested_by_id_index" on "software_builds" ("publishing_requested_by_id")`,
    );
  }
}
