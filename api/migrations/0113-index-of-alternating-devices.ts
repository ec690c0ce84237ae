import { Migration } from "@mikro-orm/migrations";

/** Adds the index of devices whose hardware alternates, for the staff's list. Writers don't wait while it is built. */
export class Migration0113 extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql("drop index concurrently if exists devices_alternating");
    this.addSql(
      `create index concurrently devices_alternating on devices (alternated_at, id) where alternations >= 2 and freed_at is null`,
    );
  }
}
