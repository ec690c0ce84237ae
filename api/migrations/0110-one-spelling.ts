import { defineMigration } from "#api/platform/database/define-migration.ts";

/** Invisible characters, and dashes, which `schema/clean-text.ts` removes and unifies. */
const invisible = "[\\u00ad\\u061c\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff]";
const dashes = "[\\u2010-\\u2015\\u2212\\ufe58\\ufe63\\uff0d]";
const key = `regexp_replace(normalize(regexp_replace(compared_code, '${invisible}', '', 'g'), NFKC), '${dashes}', '-', 'g')`;

/** Stores promo codes in the spelling in which they are compared now. Skips one whose new spelling is taken. */
export const Migration0110 = defineMigration([
  `update promo_codes code set compared_code = keys.key
         from (select distinct on (key) id, key from
                (select id, ${key} as key from promo_codes where compared_code ~ '[^\\x01-\\x7e]' and archived_at is null) spelled
              order by key, id) keys
       where code.id = keys.id and code.compared_code <> keys.key
         and not exists (select from promo_codes o where o.compared_code = keys.key and o.archived_at is null)`,
]);
