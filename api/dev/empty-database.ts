import type { Services } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database.ts";
import { inTransaction } from "#api/platform/transactions.ts";
import { listDetachedMonths } from "#api/licensing/licences/keep-event-partitions.ts";

/** Deletes every row the product wrote, waiting jobs included, and puts the clock back to the machine's time. */
export async function emptyDatabase({ orm }: Pick<Services, "orm">): Promise<void> {
  await inTransaction({ em: orm.em.fork() as EntityManager }, async (tx) => {
    for (const month of await listDetachedMonths(tx)) await query(tx, `drop table ${month}`, []);
    const tables = await query<{ name: string }>(
      tx,
      `select quote_ident(tablename) as name from pg_tables
       where schemaname = 'public' and tablename not in ('mikro_orm_migrations', 'settings')`,
      [],
    );
    await query(tx, `truncate ${tables.map(({ name }) => name).join(", ")} restart identity`, []);
    await query(tx, "delete from settings where name <> 'clock'", []);
    // Counted on, not deleted: a process that runs meanwhile sees that the clock was moved.
    await query(
      tx,
      `update settings set value = jsonb_build_object('offsetMs', 0, 'move', (value->>'move')::int + 1) where name = 'clock'`,
      [],
    );
    await query(tx, "delete from pgboss.job", []);
    await emptySimulator(tx);
  });
}

/** The payment simulator's customers are gone with ours. */
async function emptySimulator(em: EntityManager): Promise<void> {
  const tables = await query<{ name: string }>(
    em,
    "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'payment_simulator'",
    [],
  );
  if (tables.length > 0) await query(em, `truncate ${tables.map(({ name }) => name).join(", ")} restart identity`, []);
}
