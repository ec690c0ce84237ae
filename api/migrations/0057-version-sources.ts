import { Migration } from "@mikro-orm/migrations";

/** Where the version of a build was read; null for builds from before. */
export class Migration0057 extends Migration {
  override up(): void {
    this.addSql(`alter table "software_builds" add column "version_source" varchar(255) null`);
  }
}
