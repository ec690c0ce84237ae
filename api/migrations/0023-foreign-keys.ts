import { Migration } from "@mikro-orm/migrations";

/** Creates indexes for the two foreign keys that had none. */
export class Migration0023 extends Migration {
  override up(): void {
    this.addSql(`create index "leases_licence_id_index" on "leases" ("licence_id")`);
    this.addSql(`create index "software_channels_build_id_index" on "software_channels" ("build_id")`);
  }
}
