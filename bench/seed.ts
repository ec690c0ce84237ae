import type pg from "pg";
import type { Population } from "./population.ts";

/** Number of licences whose timelines are requested, and the number of events each of them has at any scale. */
export const timelines = { licences: 80, events: 60 } as const;

/** Sign-in details of the owner of these licences. */
export const owner = { email: "owner@bench.test", password: "Bench-pass-1" } as const;

const CODES_PER_INSERT = 50_000;

/** Builds the SQL expression for the id of a row. */
export const buildIdSql = (kind: string, n: string) =>
  `overlay(overlay(md5('${kind} ' || ${n}) placing '4' from 13) placing '8' from 17)::uuid`;
const getLicenceId = (n: string) => buildIdSql("licence", n);
const getDeviceId = (n: string) => buildIdSql("device", n);

/**
 * Writes users, licences and devices into a migrated database, with times relative to the database's `now()`.
 * @param passwordHash of {@link owner}
 */
export async function seedPeople(client: pg.Client, population: Population, passwordHash: string): Promise<void> {
  const { users, licences, devices } = population.sizes;
  await insertInBulk(client, ["users", "licences", "devices", "leases"], async () => {
    await insert(client, "users", `generate_series(1, ${users}) n`, {
      id: buildIdSql("user", "n"),
      confirmation_handle: buildIdSql("handle", "n"),
      first_name: `'First' || n`,
      last_name: `'Last' || n`,
      email: `case when n = 1 then '${owner.email}' else 'user-' || n || '@bench.test' end`,
      sign_in_email: `case when n = 1 then '${owner.email}' else 'user-' || n || '@bench.test' end`,
      password_hash: `case when n = 1 then '${passwordHash}' else '-' end`,
      mobile: `'0400000000'`,
      email_confirmed_at: "now()",
      registered_at: `now() - interval '2 years' * n / ${users}`,
    });
    for (let first = 0; first < licences; first += CODES_PER_INSERT) {
      const codes = population.licenceCodes.slice(first, first + CODES_PER_INSERT);
      const from = `(select code, ${first} + i as n from unnest($1::text[]) with ordinality as c(code, i)) c`;
      await insert(client, "licences", from, licenceColumns, [codes]);
    }
    await insert(client, "devices", `generate_series(1, ${devices}) n`, {
      id: getDeviceId("n"),
      licence_id: getLicenceId(`(1 + (n - 1) % ${licences})`),
      machine_name: `'PLANNING-' || n || '|corp.example'`,
      fingerprint: `md5('fingerprint ' || n)`,
      components: `jsonb_build_object('board', md5('board ' || n), 'disk', md5('disk ' || n), 'cpu', md5('cpu ' || n), 'mac', md5('mac ' || n))`,
      os_user: String.raw`'CORP\user' || n`,
      is_vm: "false",
      token_hash: `rtrim(translate(encode(sha256(('bench-machine-token-' || n)::bytea), 'base64'), '+/', '-_'), '=')`,
      activated_at: `now() - interval '200 days'`,
      last_seen_at: `now() - interval '1 day'`,
    });
    await insert(client, "leases", `generate_series(1, ${licences}) n`, {
      id: buildIdSql("lease", "n"),
      licence_id: getLicenceId("n"),
      device_id: getDeviceId("n"),
      session_id: `'session-' || n`,
      os_user: String.raw`'CORP\user' || n`,
      started_at: `now() - interval '1 hour'`,
      last_heartbeat_at: `now() - interval '10 minutes'`,
      expires_at: `now() + interval '1 day'`,
    });
  });
}

const licenceColumns: Record<string, string> = {
  id: getLicenceId("n"),
  user_id: buildIdSql("user", `(case when n <= ${timelines.licences} then 1 else 1 + (n - 1) / 3 end)`),
  licence_code: "code",
  product_level: "2",
  // Every other licence is concurrent, so that its devices send heartbeats.
  licence_type: "case when n % 2 = 0 then 3 else 1 end",
  licence_activation_type: "case when n % 2 = 0 then 2 else 0 end",
  number_of_users: "5",
  number_of_machines: "10",
  expires_at: `now() + case when n % 20 = 4 then interval '-1 day' else interval '300 days' end`,
  created_at: `now() - interval '1 year'`,
  revoked_at: `case when n % 20 = 7 then now() end`,
  suspended_at: `case when n % 20 = 12 then now() end`,
  support_code: `'BENCH-' || n`,
};

/** Writes `count` events over one year: first for the timelines, then spread across all licences. */
export async function seedEvents(client: pg.Client, population: Population, count: number): Promise<void> {
  const { licences } = population.sizes;
  const ofTimelines = timelines.licences * timelines.events;
  const at = `now() - interval '1 year' * (1 - n::float8 / ${count + 1}) - interval '2 hours'`;
  const columns = (licence: string) => ({
    at,
    last_at: at,
    count: "1",
    kind: "'validate'",
    result_code: "1",
    licence_id: getLicenceId(licence),
    device_id: getDeviceId(licence),
    machine_name: `'PLANNING-' || ${licence} || '|corp.example'`,
    os_user: String.raw`'CORP\user' || ${licence}`,
    add_in_version: "'7.2.0'",
    host_version: "'16.0.17328'",
    ip: "'192.0.2.7'",
  });
  await createPartitions(client);
  await insertInBulk(client, ["licence_events"], async () => {
    await insert(
      client,
      "licence_events",
      `generate_series(1, ${ofTimelines}) n`,
      columns(`(1 + n % ${timelines.licences})`),
    );
    await insert(
      client,
      "licence_events",
      `generate_series(1, ${Math.max(0, count - ofTimelines)}) n`,
      // Multiplying by a prime gives consecutive events distant licences.
      columns(`(1 + (n::bigint * 7919) % ${licences})`),
    );
  });
}

/** Creates the partitions of the past year. */
async function createPartitions(client: pg.Client): Promise<void> {
  await client.query(`
    do $$ declare month timestamp; begin
      for month in select generate_series(date_trunc('month', now() at time zone 'UTC') - interval '12 months',
                                          date_trunc('month', now() at time zone 'UTC'), '1 month') loop
        execute format('create table if not exists %I partition of licence_events for values from (%L) to (%L)',
          'licence_events_' || to_char(month, 'YYYY_MM'), to_char(month, 'YYYY-MM-DD') || ' 00:00+00',
          to_char(month + interval '1 month', 'YYYY-MM-DD') || ' 00:00+00');
      end loop;
    end $$`);
}

/** Vacuums and checkpoints the database, as autovacuum would between runs. */
export async function vacuumDatabase(client: pg.Client): Promise<void> {
  await client.query("vacuum (analyze)");
  await client.query("checkpoint");
}

/** Inserts rows. `columns` contains SQL expressions over `from`. */
export async function insert(
  client: pg.Client,
  table: string,
  from: string,
  columns: Record<string, string>,
  values: unknown[] = [],
): Promise<void> {
  await client.query(
    `insert into ${table} (${Object.keys(columns).join(", ")}) select ${Object.values(columns).join(", ")} from ${from}`,
    values,
  );
}

/** Runs inserts without foreign key checks and without indexes, which are created again afterwards. Indexes of constraints stay. */
export async function insertInBulk(
  client: pg.Client,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    // With ONLY, partitions would have no index.
    `select i.indexrelid::regclass::text as name,
            replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') as definition
       from pg_index i join pg_class t on t.oid = i.indrelid
      where t.relname = any($1) and t.relnamespace = 'public'::regnamespace
        and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`,
    [tables],
  );
  await client.query("set session_replication_role = replica; set synchronous_commit = off");
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  await work();
  for (const { definition } of indexes) await client.query(definition);
  await client.query("reset session_replication_role; reset synchronous_commit");
}
