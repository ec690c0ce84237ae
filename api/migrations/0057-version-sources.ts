import { Migration } from "@mikro-orm/migrations";

/** Adds the place in the files from which a build's version was read; null for earlier builds. */
export class Migration0057 extends Migration {
  override up(): void {
    this.addSql(`alter table "software_builds" add column "version_source" varchar(255) null`);
  }
}
