import { Trigger } from "@mikro-orm/decorators/legacy";
import { SqlIndex } from "#api/platform/database/columns.ts";

/**
 * Letters that look like Latin ones, and the Latin letters, in the same order: Cyrillic, Greek, Armenian, accented letters and
 * digits.
 */
const lookAlikes = {
  from: "аеорсухіјѕһԁɡԛѡвнкмтгпзαορνικτυχωօսոհցքզàáâãäåāçćčèéêëēęìíîïīıłñńòóôõöøōśšùúûüūýÿźżž01",
  to: "aeopcyxijshdgqwbhkmtrn3aopvlktuxwounhgpqaaaaaaaccceeeeeeiiiiiilnnooooooossuuuuuyyzzzol",
} as const;

/** Returns SQL for the appearance of an address: two addresses with the same one are easily taken for each other. */
export const toSkeletonSql = (sql: string): string =>
  `replace(replace(translate(${sql}, '${lookAlikes.from}', '${lookAlikes.to}'), 'rn', 'm'), 'vv', 'w')`;

const scripts = ["Latin", "Cyrillic", "Greek", "Armenian", "Cherokee", "Georgian", "Hebrew", "Arabic"].map(
  (script) => new RegExp(`\\p{sc=${script}}`, "u"),
);

/** Returns whether a part of an address between dots mixes scripts that nobody writes in one word. */
export function mixesScripts(address: string): boolean {
  return address.split(/[@.]/).some((part) => scripts.filter((script) => script.test(part)).length > 1);
}

// Lists leave out deleted accounts, which are kept only for accounting, and registrations under an address that already
// had an account. Neither has a sign-in email.
const listed = "where sign_in_email is not null";

/** SQL of the indexes for the lists of users, the search box and the sweeps. Every sort order ends with the id. */
const indexes = [
  "create index users_unconfirmed on users (registered_at) where email_confirmed_at is null",
  // An address that belongs to an account can have at most one pending registration.
  "create unique index users_waiting_email on users (lower(email)) where sign_in_email is null and email_confirmed_at is null and archived_at is null",
  "create index users_email_prefix on users (lower(email) text_pattern_ops)",
  "create index users_by_abn on users (abn) where abn <> ''",
  `create index users_search on users using gin (search) with (fastupdate = off) ${listed}`,
  `create index users_by_joined on users (registered_at, id) include (member_type, archived_at) ${listed}`,
  `create index users_by_type on users (member_type, registered_at, id) include (archived_at) ${listed}`,
  `create index users_by_activity on users ((archived_at is null), registered_at, id) include (member_type) ${listed}`,
  `create index users_by_confirmation on users ((email_confirmed_at is not null), registered_at, id) ${listed}`,
  `create index users_by_first_name on users (lower(first_name), id) ${listed}`,
  `create index users_by_last_name on users (lower(last_name), id) ${listed}`,
  `create index users_by_company_name on users (lower(company_name), id) ${listed}`,
  `create index users_by_email on users (lower(email), id) ${listed}`,
  `create index users_by_look on users (${toSkeletonSql("sign_in_email")})`,
  "create index users_unlisted_country on users (registered_at, id) where unlisted_country = country and archived_at is null",
  "create index users_newest on users (registered_at desc, id desc)",
  "create index users_active_admins on users (id) where member_type = 3 and archived_at is null and deleted_at is null",
];

/** Reserves a replaced address for its last owner (decision 0012). Runs after the unique index was checked. */
const reservedEmail = {
  name: "users_reserved_email",
  timing: "after" as const,
  events: ["insert" as const, "update" as const],
  body: `if (tg_op = 'INSERT' or new.sign_in_email is distinct from old.sign_in_email) and exists (select from email_changes c where c.old_sign_in_email = new.sign_in_email and c.user_id <> new.id) then raise exception 'the email address is reserved for its last owner' using errcode = 'unique_violation'; end if; return null`,
};

/** Declares the indexes of the table `users` on its entity. */
export const UserIndexes: ClassDecorator = (target) => {
  for (const sql of indexes) SqlIndex(sql)(target);
  Trigger(reservedEmail)(target);
};
