import { Migration } from "@mikro-orm/migrations";

/** Adds the networks from which a personal access token is accepted. */
export class Migration0157 extends Migration {
  override up(): void {
    this.addSql(`alter table "personal_access_tokens" add column "networks" text[] not null default '{}'`);
  }
}
