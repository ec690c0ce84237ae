import { MemberType } from "#schema/user.ts";
import { ProductLevel } from "#schema/product-level.ts";
import { ResultCode } from "#schema/result-code.ts";
import { User } from "#api/people/users/user.entity.ts";
import { BlockedMachine } from "#api/licensing/devices/blocked-machine.entity.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { Subscription } from "#api/billing/subscriptions/subscription.entity.ts";
import { trialTerms } from "#api/licensing/trials/start-trial.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import { query } from "#api/platform/database/database.ts";
import { claimTrial, type Demo, daysAgo, createDeviceHistory, issuePastLicence, recordRefusal } from "./history.ts";
import { generateMachine } from "./machines.ts";
import { createRandom } from "./random.ts";
import { isInForceSql } from "#api/licensing/licences/licence-status.ts";

/** Domain of the named accounts, which stay in the states the README describes. */
const NAMED_DOMAIN = "@demo.test";

/** Number of days with licence checks. */
const REQUEST_DAYS = 100;

const SEED = 20_260_301;

/** Writes recent trials, refused requests from blocked machines, and licence checks on every working day. */
export async function writeRecentActivity(sharedDemo: Demo): Promise<void> {
  // Uses a separate seed, so that changes here don't change other demo data.
  const demo = { ...sharedDemo, random: createRandom(SEED) };
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
