import { Migration } from "@mikro-orm/migrations";

/**
 * Marks emails that contain a link or a code, and removes the content of delivered ones. The content of new ones is
 * encrypted until delivery.
 */
export class Migration0074 extends Migration {
  override up(): void {
    this.addSql(`alter table "mails" add column "contains_secret" boolean not null default false`);
    const hasSecret = `"text" like '%?t=%' or "text" ~ '[0-9A-Z]{5}(-[0-9A-Z]{5}){5}'`;
    this.addSql(`update "mails" set "contains_secret" = true where ${hasSecret}`);
    this.addSql(
      `update "mails" set "text" = 'The content was removed after delivery.', "html" = 'The content was removed after delivery.' where "contains_secret" and ("sent_at" is not null or "refused_at" is not null)`,
    );
  }
}
