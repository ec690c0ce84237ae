import { User } from "#api/people/users/user.entity.ts";
import { countActivity } from "#api/staff/dashboard/count-activity.ts";
import { hashPassword } from "#api/access/sessions/password.ts";
import { upsertCatalogue } from "#api/billing/plans/sync-catalogue.ts";
import { createContext, type Services } from "#api/platform/context.ts";
import { inTransaction, query } from "#api/platform/database/database.ts";
import { runSweep } from "#api/platform/jobs/sweeps.ts";
import { Setting } from "#api/platform/database/setting.entity.ts";
import { writeSampleUsers } from "#api/dev/demo/sample-users.ts";
import { type Demo, daysAgo, contextAt } from "#api/dev/demo/history.ts";
import { writeRecentActivity } from "#api/dev/demo/recent-activity.ts";
import { createRandom } from "#api/dev/demo/random.ts";
import { demoPassword, writeNamedAccounts } from "#api/dev/demo/named-accounts.ts";
import { PromoCode } from "#api/billing/promo-codes/promo-code.entity.ts";
import { normalizePromoCode } from "#api/billing/promo-codes/find-promo-code.ts";
import { Readable } from "node:stream";
import { brand } from "#schema/brand.ts";
import { SoftwareStage } from "#schema/software.ts";
import { addBuild } from "#api/releases/software/add-build.ts";
import { publishBuild } from "#api/releases/software/publish-build.ts";

/** Writes the promo codes of docs/domain.md#demo-data. */
function writePromoCodes(demo: Demo): void {
  let age = 160;
  const write = (code: string, values: Partial<PromoCode> & Pick<PromoCode, "discountType">): void => {
    const createdAt = daysAgo(demo, (age -= 20));
    demo.em.create(PromoCode, { code, comparedCode: normalizePromoCode(code), createdAt, ...values });
  };
  write("WELCOME10", { discountType: "percentage", basisPoints: 1_000 });
  write("FIFTY", { discountType: "amount", amountCents: 5_000 });
  write("ONCE", { discountType: "percentage", basisPoints: 2_500, isOneTimeUseOnly: true });
  write("EXPIRED", { discountType: "percentage", basisPoints: 2_000, expiresAt: daysAgo(demo, 30) });
}

/** Key of the advisory lock that lets only one process fill the database at a time. */
const DEMO_LOCK = 7_426_002;

const SEED = 20_240_601;

/**
 * Fills a database that has no users with demo data (docs/domain.md#demo-data), in one transaction. Names are the same
 * every time, and so are dates relative to the current time. Licence codes are generated as for customers, so they
 * differ.
 * @returns false if the database has users.
 */
export async function fillDemoData(services: Services): Promise<boolean> {
  const context = createContext(services);
  if ((await context.em.count(User)) > 0) return false;
  const passwordHash = await hashPassword(demoPassword);
  const isFilled = await inTransaction(context, async (em) => {
    // A process that had to wait for the lock finds users and returns.
    await query(em, "set local lock_timeout = '30s'", []);
    await query(em, "set local statement_timeout = '30s'", []);
    await query(em, "select pg_advisory_xact_lock($1)", [DEMO_LOCK]);
    if ((await em.count(User)) > 0) return false;
    const demo: Demo = { context, em, random: createRandom(SEED), now: services.clock.now() };
    await upsertCatalogue({ em, clock: services.clock });
    writePromoCodes(demo);
    await writeBuilds(demo);
    await writeNamedAccounts(demo, passwordHash);
    writeSampleUsers(demo, passwordHash);
    await writeRecentActivity(demo);
    // Counts the activity again, because it may have been counted before the demo data existed.
    await query(em, "delete from activity_progress", []);
    await em.upsert(Setting, { name: "demo_data", value: { filledAt: demo.now.toISOString() } });
    return true;
  });
  if (isFilled) await runSweep(services, countActivity);
  return isFilled;
}

/** Publishes a build in Production and in Beta, and adds an unpublished one in Alpha. */
async function writeBuilds(demo: Demo): Promise<void> {
  const name = brand.productName.replaceAll(" ", "-");
  for (const { stage, version, days, isPublished } of [
    { stage: SoftwareStage.Production, version: "7.2.0", days: 21, isPublished: true },
    { stage: SoftwareStage.Beta, version: "7.3.0", days: 5, isPublished: true },
    { stage: SoftwareStage.Alpha, version: "7.4.0", days: 1, isPublished: false },
  ]) {
    const fileName = `${name}-Setup-${version}.exe`;
    const program = createDemoProgram(
      `This is a demo build of ${brand.productName} ${version}. Replace it with a real one.`,
    );
    const then = contextAt(demo, daysAgo(demo, days));
    const { id } = await addBuild(then, { stage, version, fileName }, async () => Readable.from([program]));
    if (isPublished) await publishBuild(then, id);
  }
}

/**
 * Creates the smallest file that other software recognises as a Windows program: a DOS stub that exits immediately, a
 * PE header without sections, and the given text.
 */
function createDemoProgram(text: string): Buffer {
  const program = Buffer.alloc(4_096);
  program.write("MZ", 0, "latin1");
  program.writeUInt16LE(0x40, 2);
  program.writeUInt16LE(1, 4);
  program.writeUInt16LE(4, 8);
  program.writeUInt32LE(0x80, 0x3c);
  // mov ax, 4c00h; int 21h: exits the program.
  program.set([0xb8, 0x00, 0x4c, 0xcd, 0x21], 0x40);
  program.write("PE\0\0", 0x80, "latin1");
  program.writeUInt16LE(0x014c, 0x84);
  program.writeUInt16LE(0x0102, 0x96);
  program.write(text, 0x200, "utf8");
  return program;
}
