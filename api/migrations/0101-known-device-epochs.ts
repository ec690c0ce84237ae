import { Migration } from "@mikro-orm/migrations";

/** Adds the number of times that a user was signed out everywhere, which makes earlier cookies of known devices invalid. */
export class Migration0101 extends Migration {
  override up(): void {
    this.addSql(`alter table "users" add column "known_device_epoch" int not null default 0`);
  }
}
