import type pg from "pg";
import { hashPassword } from "#api/access/sessions/password.ts";
import { toUserSearchQuery } from "#api/staff/users/list-users-statement.ts";
import type { BenchEnvironment } from "#bench/environment.ts";
import { buildIdSql, insertInBulk, insert, owner, vacuumDatabase } from "#bench/seed.ts";

/** Words used to build names and companies. */
const firstNames =
  "Ada Amelia Anh Anika Ben Bruno Carla Chen Chloé Daniel Deepa Elena Emil Farah Felix Grace Hana Henry Ines Ivan Jack Jana Jia Kofi Lara Leo Lucía Maja Marco Mei Mia Mohamed Nina Noah Olga Oscar Priya Quentin Rosa Ruth Sam Sofia Tom Uma Victor Wei Yara Zoë";
const lastNames =
  "Adams Andersen Baker Bauer Brown Campbell Chen Costa Davis Dubois Evans Fischer García Gupta Hansen Hughes Ibrahim Ivanova Jackson Jensen Jones Kaur Kelly Kim Kowalski Lee Lopez Martin Moore Murphy Müller Nakamura Nguyen Novák O'Brien Okafor Patel Petrov Reid Rossi Santos Schmidt Silva Singh Smith Taylor Tran Walker Wang White Williams Wilson Wright Young Zhang";
const trades =
  "Rail Tunnelling Civil Planning Infrastructure Mining Energy Marine Bridges Roads Water Construction Engineering Projects Controls";
const kinds = "Partners Consulting Services Australia Works Solutions Pty Holdings Alliance";

/** Search words for the list: `rare` matches a few users, `common` one in ten. */
export const searches = { rare: "zephyr", common: "group" } as const;

const pickWord = (words: string, n: string, step: number) => {
  const list = words.split(" ");
  const array = `array[${list.map((word) => `'${word.replaceAll("'", "''")}'`).join(",")}]`;
  return `(${array})[1 + (${n}::bigint * ${step}) % ${list.length}]`;
};

/** Creates users with everything an admin sees about them: 3 licences, 5 devices, 2 contacts, 2 comments and 2 invoices each. */
export async function createDirectory(ground: BenchEnvironment, name: string, users: number): Promise<void> {
  await ground.createMigratedDatabase(name);
  const client = await ground.connect(name);
  await seedDirectory(client, users, await hashPassword(owner.password));
  await createSearch(client);
  await vacuumDatabase(client);
  await client.end();
}

/** Inserts the rows of a directory. The first user is the admin `owner` with this password. */
export async function seedDirectory(client: pg.Client, users: number, passwordHash: string): Promise<void> {
  const tables = ["users", "licences", "devices", "contacts", "comments", "tax_invoices"];
  await insertInBulk(client, tables, async () => {
    const email = `case when n = 1 then '${owner.email}' else lower(translate(${pickWord(lastNames, "n", 13)}, '''', '')) || '.' || n || '@example.com' end`;
    await insert(client, "users", `generate_series(1, ${users}) n`, {
      id: buildIdSql("user", "n"),
      confirmation_handle: buildIdSql("handle", "n"),
      first_name: pickWord(firstNames, "n", 7),
      last_name: pickWord(lastNames, "n", 13),
      company_name: `case when n in (2, 50, 77) or n % 20000 = 7 then 'Zephyr Tunnelling' else
        ${pickWord(trades, "n", 11)} || ' ' || case when n % 10 = 3 then 'Group' else ${pickWord(kinds, "n", 5)} end end`,
      position: `'Planner'`,
      email,
      sign_in_email: email,
      password_hash: `case when n = 1 then '${passwordHash}' else '-' end`,
      mobile: `'04' || lpad((n % 100000000)::text, 8, '0')`,
      member_type: "case when n = 1 then 3 when n % 9 = 0 then 2 else 1 end",
      city: `'Brisbane'`,
      state: `'QLD'`,
      email_confirmed_at: "case when n % 17 <> 5 then now() - interval '3 years' end",
      registered_at: `now() - interval '2 years' * n / ${users}`,
    });
    await insert(client, "licences", `generate_series(1, ${users * 3}) n`, {
      id: buildIdSql("licence", "n"),
      user_id: buildIdSql("user", "(1 + (n - 1) / 3)"),
      licence_code: `'BENCH-CODE-' || n`,
      support_code: `'S-' || n`,
      // Create no trials and no licences that expire soon, because the server would send reminders during the measurement.
      product_level: "n % 3",
      number_of_machines: "10",
      project_term: "case when n % 5 = 0 then 'Stage ' || n % 7 end",
      expires_at: `now() + interval '1 day' * (case when n % 8 = 0 then -400 else 200 + n % 300 end)`,
      created_at: `now() - interval '1 year' - interval '1 minute' * (n % 3)`,
    });
    await insert(client, "devices", `generate_series(1, ${users * 5}) n`, {
      id: buildIdSql("device", "n"),
      licence_id: buildIdSql("licence", `(1 + (n - 1) % ${users * 3})`),
      machine_name: `'PLANNING-' || n || '|corp.example'`,
      fingerprint: `md5('fingerprint ' || n)`,
      components: "'{}'::jsonb",
      os_user: String.raw`'CORP\user' || n`,
      token_hash: `'token ' || n`,
      activated_at: `now() - interval '200 days' + interval '1 second' * (n % 3600)`,
      last_seen_at: `now() - interval '1 minute' * (n % 100000)`,
    });
    await insert(client, "contacts", `generate_series(1, ${users * 2}) n`, {
      id: buildIdSql("contact", "n"),
      user_id: buildIdSql("user", "(1 + (n - 1) / 2)"),
      first_name: pickWord(firstNames, "n", 17),
      last_name: pickWord(lastNames, "n", 19),
      email: `'contact-' || n || '@example.com'`,
      phone: `'+61 400 000 000'`,
      contact_type: "1 + n % 3",
    });
    await insert(client, "comments", `generate_series(1, ${users * 2}) n`, {
      id: buildIdSql("comment", "n"),
      user_id: buildIdSql("user", "(1 + (n - 1) / 2)"),
      text: `'Asked about the ' || ${pickWord(trades, "n", 3)} || ' plan; will call back.'`,
      commented_by_id: buildIdSql("user", "1"),
      commented_by: `'Ada Adams'`,
      at: `now() - interval '1 hour' * (1 + n % 50)`,
    });
    await insert(client, "tax_invoices", `generate_series(1, ${users * 2}) n`, {
      id: buildIdSql("invoice", "n"),
      number: "(100000 + n)::text",
      user_id: buildIdSql("user", "(1 + (n - 1) / 2)"),
      kind: `'invoice'`,
      issued_at: `now() - interval '1 month' * (1 + n % 2)`,
      paid_at: "case when n % 7 <> 0 then now() - interval '1 month' end",
      description: `'Professional, monthly subscription'`,
      lines: `'[]'::jsonb`,
      amount_cents: "14995",
      discount_cents: "0",
      gst_cents: "1500",
      gst_basis_points: "1000",
      total_cents: "16495",
      seller: `'{}'::jsonb`,
      buyer: `'{}'::jsonb`,
    });
  });
}

/** Creates a database function that makes the product's search available in PostGraphile. It takes the bound texts as a list. */
async function createSearch(client: pg.Client): Promise<void> {
  const where = buildSearch("word").where;
  await client.query(
    `create function search_users(terms text[]) returns setof users language sql stable
     begin atomic; select u.* from users u where ${where} order by u.registered_at desc, u.id desc; end`,
  );
}

/** Returns the SQL condition of a search and the texts to bind as `terms`. */
export function buildSearch(word: string): { where: string; terms: string[] } {
  const where = "u.deleted_at is null and u.search @@ to_tsquery('simple', terms[1])";
  return { where, terms: [toUserSearchQuery(word) ?? ""] };
}
