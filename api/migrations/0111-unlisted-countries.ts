import { Migration } from "@mikro-orm/migrations";

/** Names of Australia in Latin letters, without accents and signs, and in other scripts. */
const latin =
  "australia au aus commonwealthofaustralia thecommonwealthofaustralia australie australien ausztralia avustralya";
const others =
  "Αυστραλία Австралия Австралія אוסטרליה أستراليا استرالیا ऑस्ट्रेलिया ออสเตรเลีย オーストラリア 澳大利亚 澳洲 오스트레일리아";
const toList = (names: string) =>
  names
    .split(" ")
    .map((name) => `'${name}'`)
    .join(", ");

/**
 * Remembers the country of accounts that are in Australia, but spell it so that they are charged no GST. It changes no
 * country and no amount; staff get a list of these accounts.
 */
export class Migration0111 extends Migration {
  override up(): void {
    this.addSql(`alter table "users" add column "unlisted_country" varchar(255) null`);
    this.addSql(
      `update users set unlisted_country = country
       where country !~* '^\\s*australia\\s*$'
         and (lower(regexp_replace(normalize(country, NFKD), '[^A-Za-z]', '', 'g')) in (${toList(latin)}) or country in (${toList(others)}))`,
    );
    this.addSql(
      `create index users_unlisted_country on users (registered_at, id) where unlisted_country = country and archived_at is null`,
    );
  }
}
