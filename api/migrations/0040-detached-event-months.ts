import { Migration } from "@mikro-orm/migrations";

/** Records the months of licence events that were detached, to be dropped a week later unless they are attached again. */
export class Migration0040 extends Migration {
  override up(): void {
    this.addSql(
      `create table "detached_event_months" ("name" varchar(255) not null, "starts_at" timestamptz not null, "ends_at" timestamptz not null, "detached_at" timestamptz not null, "dropped_at" timestamptz null, primary key ("name"))`,
    );
  }
}
