import { Migration } from "@mikro-orm/migrations";

/** Creates the table for saved views of lists. */
export class Migration0063 extends Migration {
  override up(): void {
    this.addSql(
      `create table "saved_views" ("id" uuid not null, "owner_id" uuid not null, "list" varchar(255) not null, "name" varchar(255) not null, "parameters" text not null, "is_default" boolean not null, "created_at" timestamptz not null, primary key ("id"))`,
    );
    this.addSql(
      `alter table "saved_views" add constraint "saved_views_owner_id_foreign" foreign key ("owner_id") references "users" ("id") on delete cascade`,
    );
    this.addSql("create unique index saved_views_one_of_each on saved_views (owner_id, list, lower(name))");
    this.addSql("create unique index saved_views_one_default on saved_views (owner_id, list) where is_default");
  }
}
