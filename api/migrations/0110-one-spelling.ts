import { Migration } from "@mikro-orm/migrations";

/** Invisible characters, and dashes, which `schema/clean-text.ts` removes and unifies. */
const invisible = "[\\u00ad\\u061c\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff]";
const dashes = "[\\u2010-\\u2015\\u2212\\ufe58\\ufe63\\uff0d]";

/**
 * Stores promo codes and sign-in addresses in the spelling in which they are compared now. Skips one whose new spelling is
 * taken, so that nobody loses an account or a code.
 */
export class Migration0110 extends Migration {
  override up(): void {
    const toKey = (column: string) =>
      `regexp_replace(normalize(regexp_replace(${column}, '${invisible}', '', 'g'), NFKC), '${dashes}', '-', 'g')`;
    const listKeys = (table: string, column: string, condition: string) =>
      `(select distinct on (key) id, key from
         (select id, ${toKey(column)} as key from ${table} where ${column} ~ '[^\\x01-\\x7e]' and ${condition}) spelled
       order by key, id) keys`;
    this.addSql(
      `update promo_codes code set compared_code = keys.key from ${listKeys("promo_codes", "compared_code", "archived_at is null")}
       where code.id = keys.id and code.compared_code <> keys.key
         and not exists (select from promo_codes o where o.compared_code = keys.key and o.archived_at is null)`,
    );
    this.addSql(
      `update users u set sign_in_email = keys.key from ${listKeys("users", "sign_in_email", "true")}
       where u.id = keys.id and u.sign_in_email <> keys.key
         and not exists (select from users o where o.sign_in_email = keys.key)
         and not exists (select from email_changes c where c.old_sign_in_email = keys.key and c.user_id <> u.id)`,
    );
  }
}
