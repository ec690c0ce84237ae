import { Migration } from "@mikro-orm/migrations";

/** Adds the country that was stored before countries were a closed list. The sweep `unify-stored-users` fills it. */
export class Migration0111 extends Migration {
  override up(): void {
    this.addSql(`alter table "users" add column "unlisted_country" varchar(255) null`);
  }
}
