import { Migrator } from "@mikro-orm/migrations";
import { MikroORM } from "@mikro-orm/postgresql";
import { expect, test } from "vitest";
import { entities, migrate } from "#api/app/database.ts";
import { parseSupportCode } from "#api/licensing/licences/licence-code.ts";
import { migrations } from "#api/migrations/index.ts";
import { createEmptyDatabase } from "#tests/support/test-database.ts";

const old = await createEmptyDatabase();

test("moves existing events into monthly partitions and assigns support codes in the migration", async () => {
  const orm = await MikroORM.init({
    ...old,
    entities,
    extensions: [Migrator],
    migrations: { silent: true, migrationsList: migrations, snapshot: false },
  });
  const run = (sql: string) => orm.em.getConnection().execute(sql);
  try {
    await orm.migrator.up({ to: "0008-payments" });
    const userId = "7d9f0a52-0a7e-4a7a-9f0e-4dc4b6b3a001";
    await run(`insert into users (id, confirmation_handle, first_name, last_name, email, password_hash, mobile, registered_at)
      values ('${userId}', gen_random_uuid(), 'Ada', 'Byron', 'ada@example.com', 'x', '1', now())`);
    await run(`insert into licences (id, user_id, licence_code, product_level, expires_at, created_at)
      select gen_random_uuid(), '${userId}', 'code ' || n, 2, now(), now() from generate_series(1, 200) n`);
    await run(`insert into licence_events (at, kind, result_code, machine_name)
      select now() - n * interval '17 days', 'validate', 1, 'PLANNING-' || n from generate_series(0, 40) n`);
    const before = await run("select id::text, at, machine_name from licence_events order by id");
    await migrate(old);
    const moved = await run(
      "select id::text, at, machine_name, count, last_at = at as once from licence_events order by id",
    );
    expect(moved).toEqual(before.map((row: object) => ({ ...row, count: 1, once: true })));
    expect(await run("select 1 from licence_events_default")).toEqual([]);
    const [next] = await run(
      "insert into licence_events (at, last_at, kind, result_code) values (now(), now(), 'issue', 1) returning id::int",
    );
    expect(next?.id).toBe(before.length + 1);
    const codes = (await run("select support_code from licences")).map((row) => String(row.support_code));
    expect(new Set(codes).size).toBe(200);
    for (const code of codes) expect(parseSupportCode(code)).toBe(code);
  } finally {
    await orm.close(true);
  }
});
