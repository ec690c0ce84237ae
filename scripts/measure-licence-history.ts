/**
 * Measures how long a page of a licence's history takes beside few and beside many events, in a database of its own:
 * `node --import @oxc-node/core/register scripts/measure-licence-history.ts [events]`, by default 5,000,000 over 60
 * months. The ratio is to stay under 1.3: what others have asked makes nobody's page slower.
 */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { argv } from "node:process";
import pg from "pg";
import { eventsOf } from "#api/features/licences/list-licence-events.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, migrate, openDatabase, poolOf } from "#api/platform/database.ts";
import { startEmbeddedPostgres } from "#api/platform/embedded-postgres.ts";

const MANY = Number(argv[2] ?? 5_000_000);
const FEW = 5_000;
const RUNS = 400;
const licenceId = randomUUID();

const dataDir = mkdtempSync(join(tmpdir(), "measure-history-"));
const postgres = await startEmbeddedPostgres({ dataDir, fsync: false });
const address = { host: postgres.host, port: postgres.port, user: postgres.user, dbName: postgres.database };
try {
  await migrate(address);
  const orm = await openDatabase(address, 1);
  const pool = await poolOf(orm.em);
  // Filling takes longer than the product's own statements may.
  const filler = new pg.Client({ ...address, database: address.dbName });
  await filler.connect();
  await filler.query(`
    do $$ declare month timestamp; begin
      for month in select generate_series(date_trunc('month', now() at time zone 'UTC') - interval '60 months',
                                          date_trunc('month', now() at time zone 'UTC') - interval '1 month', '1 month') loop
        execute format('create table %I partition of licence_events for values from (%L) to (%L) with (fillfactor = 90)',
          'licence_events_' || to_char(month, 'YYYY_MM'), to_char(month, 'YYYY-MM-DD') || ' 00:00+00',
          to_char(month + interval '1 month', 'YYYY-MM-DD') || ' 00:00+00');
      end loop;
    end $$`);
  await filler.query(
    `insert into users (id, confirmation_handle, first_name, last_name, email, password_hash, mobile, registered_at)
     values ($1, $1, 'Ada', 'Byron', 'ada@example.com', 'x', '1', now())`,
    [licenceId],
  );
  await filler.query(
    `insert into licences (id, user_id, licence_code, support_code, product_level, expires_at, created_at)
     select case when n = 1 then $1::uuid else gen_random_uuid() end, $1::uuid, 'code ' || n, 'support ' || n, 2, now(),
            now() - interval '60 months' from generate_series(1, 1000) n`,
    [licenceId],
  );
  // The licence that is looked at has 600 events over the five years, the others share the rest.
  await fill(600, "id = $2");
  await fill(FEW - 600, "id <> $2");
  const few = await measure("few");
  await fill(MANY - FEW, "id <> $2");
  const many = await measure("many");
  console.log(`ratio of the medians ${(many / few).toFixed(2)}`);
  await filler.end();
  await orm.close(true);

  async function fill(count: number, whose: string): Promise<void> {
    await filler.query(
      `insert into licence_events (at, last_at, kind, result_code, licence_id, device_id, machine_name, os_user, add_in_version, host_version, ip)
       select at, at, 'validate', case when n % 50 = 0 then 22 else 1 end, l.id, l.id, 'PLANNING-1|corp.local', 'planner', '7.2.0', '16.0', '203.0.113.7'
         from generate_series(1, $1::int) n
        cross join lateral (select now() - interval '60 months' * (n::float8 / $1::int) as at) moment
         join (select id, row_number() over (order by id) - 1 as place, count(*) over () as of from licences where ${whose}) l
           on l.place = n % l.of`,
      [count, licenceId],
    );
  }

  async function measure(label: string): Promise<number> {
    await filler.query("vacuum analyze licence_events");
    const [{ rows }, times] = [
      await filler.query<{ n: number }>("select count(*)::int as n from licence_events"),
      [],
    ] as [{ rows: { n: number }[] }, number[]];
    for (let run = 0; run < RUNS; run++) {
      const context = { pool, em: orm.em.fork() as EntityManager } as Context;
      const began = performance.now();
      const page = await eventsOf(context, "licence", licenceId, { first: 50 });
      times.push(performance.now() - began);
      if (page.rows.length !== 50) throw new Error(`${page.rows.length} rows instead of 50.`);
    }
    times.sort((one, other) => one - other);
    const at = (share: number) => times[Math.floor(times.length * share)] ?? 0;
    console.log(
      `${label}: ${rows[0]?.n} events, 50 newest in ${at(0.5).toFixed(2)} ms (p95 ${at(0.95).toFixed(2)} ms)`,
    );
    return at(0.5);
  }
} finally {
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
