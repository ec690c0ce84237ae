import { Migration } from "@mikro-orm/migrations";

/** Reserves the prefix of sandbox codes: no licence code may start with it (decision 0054). */
export class Migration0034 extends Migration {
  override up(): void {
    this.addSql(
      `alter table "licences" add constraint "licences_no_sandbox_code" check (licence_code not like 'SANDB-00%')`,
    );
  }
}
