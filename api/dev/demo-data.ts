import { User } from "#api/people/users/user.entity.ts";
import { countActivity } from "#api/staff/dashboard/count-activity.ts";
import { hashPassword } from "#api/access/sessions/password.ts";
import { upsertCatalogue } from "#api/selling/plans/sync-catalogue.ts";
import { createContext, type Services } from "#api/platform/context.ts";
import { query } from "#api/platform/database.ts";
import { runSweep } from "#api/platform/sweeps.ts";
import { Setting } from "#api/platform/setting.entity.ts";
import { inTransaction } from "#api/platform/transactions.ts";
import { writePromoCodes } from "./demo/promo-codes.ts";
import { writeBuilds } from "./demo/builds.ts";
import { writeSampleUsers } from "./demo/sample-users.ts";
import type { Demo } from "./demo/history.ts";
import { writeRecentActivity } from "./demo/recent-activity.ts";
import { createRandom } from "./demo/random.ts";
import { demoPassword, writeNamedAccounts } from "./demo/named-accounts.ts";

/** Key of the advisory lock that lets one process at a time fill the database. */
const DEMO_LOCK = 7_426_002;

const SEED = 20_240_601;

/**
 * Fills a database without users with demo data (docs/domain.md#demo-data), all of it or nothing, told back from the
 * clock's present. Names and dates come out the same every time; licence codes are real ones and do not.
 * @returns whether it did; false when there are users.
 */
export async function fillDemoData(services: Services): Promise<boolean> {
  const context = createContext(services);
  if ((await context.em.count(User)) > 0) return false;
  const passwordHash = await hashPassword(demoPassword);
  const isFilled = await inTransaction(context, async (em) => {
    // Whoever waits finds users when it is their turn.
    await query(em, "set local lock_timeout = '30s'", []);
    await query(em, "set local statement_timeout = '30s'", []);
    await query(em, "select pg_advisory_xact_lock($1)", [DEMO_LOCK]);
    if ((await em.count(User)) > 0) return false;
    const demo: Demo = { context, em, random: createRandom(SEED), now: services.clock.now() };
    await upsertCatalogue(em);
    writePromoCodes(demo);
    await writeBuilds(demo);
    await writeNamedAccounts(demo, passwordHash);
    writeSampleUsers(demo, passwordHash);
    await writeRecentActivity(demo);
    // What was added up before there was this past is added up anew.
    await query(em, "delete from activity_progress", []);
    await em.upsert(Setting, { name: "demo_data", value: { filledAt: demo.now.toISOString() } });
    return true;
  });
  if (isFilled) await runSweep(services, countActivity);
  return isFilled;
}
