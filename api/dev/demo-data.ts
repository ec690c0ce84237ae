import { User } from "#api/people/users/user.entity.ts";
import { countActivity } from "#api/staff/dashboard/count-activity.ts";
import { hashPassword } from "#api/access/sessions/password.ts";
import { upsertCatalogue } from "#api/billing/plans/sync-catalogue.ts";
import { createContext, type Services } from "#api/platform/context.ts";
import { inTransaction, query } from "#api/platform/database/database.ts";
import { runSweep } from "#api/platform/jobs/sweeps.ts";
import { Setting } from "#api/platform/database/setting.entity.ts";
import { writeSampleUsers } from "#api/dev/demo/sample-users.ts";
import {
  type Demo,
  daysAgo,
  contextAt,
  claimTrial,
  createDeviceHistory,
  issuePastLicence,
  recordRefusal,
} from "#api/dev/demo/history.ts";
import { createRandom, generateMachine } from "#api/dev/demo/random.ts";
import { demoPassword, writeNamedAccounts } from "#api/dev/demo/named-accounts.ts";
import { normalizePromoCode, PromoCode } from "#api/billing/promo-codes/promo-code.entity.ts";
import { Readable } from "node:stream";
import { brand } from "#schema/brand.ts";
import { SoftwareStage } from "#schema/software.ts";
import { addBuild } from "#api/releases/software/add-build.ts";
import { publishBuild } from "#api/releases/software/publish-build.ts";
import { MemberType } from "#schema/user.ts";
import { ProductLevel, trialTerms } from "#schema/product-level.ts";
import { ResultCode } from "#schema/result-code.ts";
import { BlockedMachine } from "#api/licensing/devices/device.entity.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { Subscription } from "#api/billing/subscriptions/subscription.entity.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import { isInForceSql } from "#api/licensing/licences/licence-status.ts";

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

/** Domain of the named accounts, which stay in the states the README describes. */
const NAMED_DOMAIN = "@demo.test";

/** Number of days with licence checks. */
const REQUEST_DAYS = 100;

const RECENT_SEED = 20_260_301;

/** Writes recent trials, refused requests from blocked machines, and licence checks on every working day. */
async function writeRecentActivity(sharedDemo: Demo): Promise<void> {
  // Uses a separate seed, so that changes here don't change other demo data.
  const demo = { ...sharedDemo, random: createRandom(RECENT_SEED) };
  await demo.em.flush();
  await writeTrials(demo);
  await writeBlockedAttempts(demo);
  await demo.em.flush();
  await writeWorkingDays(demo);
}

/** Writes running trials, and past trials whose users subscribed after a few days. */
async function writeTrials(demo: Demo): Promise<void> {
  const { em, random, now } = demo;
  const withoutTrial = { hasCompletedTrial: false, archivedAt: null };
  const subscriptions = await em.find(
    Subscription,
    { startedAt: { $gt: daysAgo(demo, 300) }, user: withoutTrial },
    { populate: ["user"], orderBy: { startedAt: "asc" } },
  );
  for (const { user, startedAt } of subscriptions) {
    const since = addMilliseconds(startedAt, -random.int(2, 12) * DAY);
    if (since < user.registeredAt || user.email.endsWith(NAMED_DOMAIN)) continue;
    writeTrial(demo, user, since).revokedAt = startedAt;
  }
  const owners = new Set((await em.find(Licence, {}, { fields: ["user"] })).map(({ user }) => user.id));
  const others = await em.find(
    User,
    { ...withoutTrial, memberType: MemberType.Regular, emailConfirmedAt: { $ne: null } },
    { orderBy: { email: "asc" } },
  );
  // No trial ends within three days, because the first sweep would email its user.
  for (const [index, user] of others.filter(({ id }) => !owners.has(id)).entries()) {
    const since = addMilliseconds(now, -(1 + ((index * 7) % 19) / 2) * DAY);
    if (since < user.registeredAt || user.email.endsWith(NAMED_DOMAIN)) continue;
    writeTrial(demo, user, since);
  }
}

function writeTrial(demo: Demo, user: User, since: Date): Licence {
  const licence = issuePastLicence(demo, user, since, {
    productLevel: ProductLevel.Trial,
    expiresAt: addMilliseconds(since, trialTerms.days * DAY),
    usageLimit: trialTerms.conversions,
  });
  const machine = { ...generateMachine(demo.random, user.email.split("@")[0] ?? ""), isVm: false };
  const until = addMilliseconds(since, DAY);
  createDeviceHistory(demo, licence, machine, addMilliseconds(since, 600_000), until < demo.now ? until : demo.now);
  claimTrial(demo, user, licence, machine);
  return licence;
}

/** Records refused requests from blocked machines. */
async function writeBlockedAttempts(demo: Demo): Promise<void> {
  const { em, random } = demo;
  const blocked = await em.find(BlockedMachine, {}, { populate: ["user"], orderBy: { blockedAt: "asc" } });
  for (const { user, machineName, blockedAt } of blocked) {
    const licence = await em.findOne(Licence, { user: user.id }, { orderBy: { createdAt: "desc" } });
    if (!licence) continue;
    const hours = (demo.now.getTime() - blockedAt.getTime()) / 3_600_000;
    for (let attempt = random.int(2, 5); attempt > 0; attempt--)
      recordRefusal(demo, licence, machineName, addMilliseconds(blockedAt, random.next() * hours * 3_600_000), {
        kind: attempt % 2 ? "validate" : "activate",
        resultCode: ResultCode.MACHINE_BLOCKED,
      });
  }
}

/**
 * Writes licence checks by active machines on working days. Most machines switch to the newer version a few days after
 * its release. Uses one statement, because writing thousands of rows through the ORM would slow down the start.
 */
async function writeWorkingDays({ em, now }: Demo): Promise<void> {
  await query(
    em,
    `with machines as (
       select d.id, d.licence_id, d.machine_name, d.os_user, d.activated_at, l.expires_at,
              row_number() over (order by d.machine_name, d.fingerprint) as n
         from devices d join licences l on l.id = d.licence_id join users u on u.id = l.user_id
        where d.freed_at is null and ${isInForceSql} and u.email not like '%${NAMED_DOMAIN}'
     ), requests as (
       select m.*, day, day + (m.n * 37 % 480 + extract(doy from day)::int * 13 % 60) * interval '1 minute' as at
         from machines m, generate_series($1::timestamptz - interval '${REQUEST_DAYS} days', $1, interval '1 day') day
        where extract(isodow from day) < 6 and (m.n + extract(doy from day)::int) % 7 <> 0
     ), recorded as (
       insert into licence_events (at, last_at, count, kind, result_code, licence_id, device_id, machine_name, os_user, add_in_version, host_version)
       select at, at, 1 + (n * 5 + extract(doy from day)::int) % 9, 'validate', ${ResultCode.VALID}, licence_id, id, machine_name, os_user,
              case when n % 9 = 0 then '7.0.4' when n % 5 = 1 then '7.1.2'
                   when at > $1::timestamptz - (21 - n % 17) * interval '1 day' then '7.2.0' else '7.1.2' end, '2019'
         from requests where at > activated_at and at < least($1::timestamptz, expires_at)
       returning device_id, at
     )
     update devices d set last_seen_at = greatest(d.last_seen_at, k.at)
       from (select device_id, max(at) as at from recorded group by device_id) k where d.id = k.device_id`,
    [now],
  );
}
