import { listValues } from "#schema/closed-list.ts";
import { contactTypes } from "#schema/contact.ts";
import { deactivationReasons } from "#schema/device.ts";
import { MemberType } from "#schema/user.ts";
import { isTrialLevel, ProductLevel, trialTerms } from "#schema/product-level.ts";
import { PAYMENT_GRACE_MS } from "#api/billing/subscriptions/payment-rules.ts";
import { User } from "#api/people/users/user.entity.ts";
import { normaliseMachineName } from "#schema/machine-name.ts";
import { BlockedMachine } from "#api/licensing/devices/device.entity.ts";
import type { Licence } from "#api/licensing/licences/licence.entity.ts";
import { addMilliseconds, addMonths, DAY } from "#api/platform/clock.ts";
import {
  claimTrial,
  createContact,
  type Demo,
  daysAgo,
  createDeviceHistory,
  deactivatePastDevice,
  generateUser,
  issuePastLicence,
  createPastSubscription,
  pickWorkingHour,
} from "./history.ts";
import { writeComments } from "./comments.ts";
import { generateMachine } from "./random.ts";
import { adminPeople, companies, corporatePeople, type Person, regularPeople } from "./people.ts";

/** Age of a trial in days after which the sweep no longer sends an email about its end. */
const UNANNOUNCED_TRIAL_DAYS = 100;

const TWO_YEARS_DAYS = 730;

/** Index of the customer whose last monthly payment was due four days ago. The demo data makes that payment fail. */
const UNPAID_INDEX = 8;

// Product levels from before subscriptions were sold. Each is given to one user.
const legacyLevels = [4, 5, 6, 7, 8, 9, 10, 11, 12, 13];
const contactKinds = listValues(contactTypes);
const corporateLevels = [14, 15, 16, 17, 18, 19];

/** Creates about sixty users of all kinds who registered over two years, with their history. */
export function writeSampleUsers(demo: Demo, passwordHash: string): void {
  const { em, random } = demo;
  const create = (person: Person, company: string, index: number, of: number, changes: Partial<User> = {}): User => {
    // Spreads registrations over two years, ending last week.
    const registeredAt = pickWorkingHour(demo, daysAgo(demo, 7 + ((of - index) / of) * (TWO_YEARS_DAYS - 10)));
    const isConfirmed = changes.emailConfirmedAt !== null;
    return em.create(User, {
      ...generateUser(demo, person, company),
      passwordHash,
      registeredAt,
      isTester: random.chance(0.08),
      isServiceProvider: random.chance(0.15),
      ...changes,
      emailConfirmedAt: isConfirmed ? addMilliseconds(registeredAt, random.int(2, 600) * 60_000) : null,
    });
  };

  const staff = adminPeople.map((person, index) =>
    create(person, "", index, adminPeople.length, { memberType: MemberType.Admin }),
  );

  for (const [index, person] of corporatePeople.entries()) {
    const user = create(person, random.pick(companies), index, corporatePeople.length, {
      memberType: MemberType.Corporate,
    });
    const level = corporateLevels[index % corporateLevels.length] ?? 14;
    writeCorporateLicence(demo, user, level, index);
    for (let contact = 0; contact <= index % 3; contact++)
      createContact(demo, user, random.pick(regularPeople), contactKinds[(index + contact) % contactKinds.length] ?? 1);
    writeComments(demo, user, staff, index);
  }

  let legacyCount = 0;
  for (const [index, person] of regularPeople.entries()) {
    const isUnconfirmed = index % 11 === 5;
    const user = create(person, random.chance(0.6) ? random.pick(companies) : "", index, regularPeople.length, {
      // Older unconfirmed registrations would have been removed (docs/domain.md#unconfirmed).
      ...(isUnconfirmed ? { emailConfirmedAt: null, registeredAt: daysAgo(demo, 1 + index / 11) } : {}),
      ...(index === 8 ? { annualDeactivationLimit: 10 } : {}),
    });
    if (isUnconfirmed) continue;
    const legacy = legacyLevels[legacyCount];
    if (legacy !== undefined) {
      legacyCount++;
      writeLegacyLicence(demo, user, legacy);
    }
    if (getAgeInDays(demo, user) > UNANNOUNCED_TRIAL_DAYS + 15 && random.chance(0.6)) writePastTrial(demo, user);
    const paid = index >= 6 && index % 3 !== 1 ? writePaidLicence(demo, user, index) : null;
    if (index % 13 === 9) archiveUser(demo, user, paid);
    if (index % 9 === 4) blockMachine(demo, user);
    if (index % 4 === 2) writeComments(demo, user, staff, index);
  }
}

const getAgeInDays = (demo: Demo, user: User): number => (demo.now.getTime() - user.registeredAt.getTime()) / DAY;

function writeCorporateLicence(demo: Demo, user: User, productLevel: number, index: number): void {
  const { random } = demo;
  const since = addMilliseconds(user.registeredAt, random.int(1, 5) * DAY);
  const isConcurrent = productLevel === 16;
  const isProject = index % 4 === 3;
  const licence = issuePastLicence(demo, user, since, {
    productLevel,
    licenceType: isConcurrent ? 3 : isProject ? 4 : random.pick([2, 5, 6]),
    licenceCategory: index % 5 === 2 ? 2 : index % 5 === 4 ? 3 : 1,
    licenceActivationType: isConcurrent ? 2 : 0,
    numberOfUsers: random.int(3, 25),
    numberOfMachines: random.int(6, 40),
    projectTerm: isProject ? random.pick(["Stage 2, to practical completion", "24 months from award"]) : null,
    purchaseOrderNumber: `PO-${random.int(100_000, 999_999)}`,
    allowOnVms: random.chance(0.3),
    // The licence expires at least a month and five days from now, so that the first sweep sends no reminders.
    expiresAt: addMilliseconds(addMonths(demo.now, random.int(1, 14)), 5 * DAY),
  });
  // Levels 18 and 19 grant no rights, so they have no devices.
  if (productLevel >= 18) return;
  writeDevices(demo, user, licence, Math.min(licence.numberOfMachines, random.int(2, 6)));
}

function writeLegacyLicence(demo: Demo, user: User, productLevel: number): void {
  const since = user.registeredAt;
  const isTrial = isTrialLevel(productLevel);
  const licence = issuePastLicence(demo, user, since, {
    productLevel,
    expiresAt: addMilliseconds(since, (isTrial ? trialTerms.days : 365) * DAY),
    // Old remote desktop licences are floating, with a lease period.
    ...(productLevel === 9 ? { licenceActivationType: 1, limitFloatingLeasePeriodToHours: 8 } : {}),
  });
  if (!isTrial) writeDevices(demo, user, licence, 1);
}

function writePastTrial(demo: Demo, user: User): void {
  const { random } = demo;
  const since = addMilliseconds(user.registeredAt, random.int(0, 20) * 3_600_000);
  const licence = issuePastLicence(demo, user, since, {
    productLevel: ProductLevel.Trial,
    expiresAt: addMilliseconds(since, trialTerms.days * DAY),
    usageLimit: trialTerms.conversions,
  });
  licence.usageCount = random.int(0, trialTerms.conversions);
  const machine = { ...generateMachine(random, user.email.split("@")[0] ?? ""), isVm: false };
  createDeviceHistory(
    demo,
    licence,
    machine,
    addMilliseconds(since, 600_000),
    addMilliseconds(since, random.int(2, 13) * DAY),
  );
  claimTrial(demo, user, licence, machine);
}

/** Issues a licence with an active subscription, or with one that was cancelled and has ended. */
function writePaidLicence(demo: Demo, user: User, index: number): Licence {
  const { now, random } = demo;
  const productLevel =
    [ProductLevel.Professional, ProductLevel.Standard, ProductLevel.Professional, ProductLevel.Plus][index % 4] ?? 2;
  const plan = ["standard", "plus", "professional"][productLevel] ?? "professional";
  const isUnpaid = index === UNPAID_INDEX;
  const sinceRegistration = Math.min(getAgeInDays(demo, user) - 1, random.int(1, 30)) * DAY;
  const since = isUnpaid
    ? addMonths(addMilliseconds(now, -4 * DAY), -4)
    : addMilliseconds(user.registeredAt, sinceRegistration);
  const isCancelled = index % 7 === 3 && getAgeInDays(demo, user) > 60;
  const isYearly = !isCancelled && random.chance(0.5) && !isUnpaid;
  let periodEnd = since;
  const until = isCancelled ? daysAgo(demo, 20) : now;
  for (let months = isYearly ? 12 : 1; periodEnd <= until; months += isYearly ? 12 : 1)
    periodEnd = addMonths(since, months);
  const status = isCancelled ? "cancelled" : "active";
  const licence = issuePastLicence(demo, user, since, {
    productLevel,
    expiresAt: addMilliseconds(periodEnd, PAYMENT_GRACE_MS),
  });
  createPastSubscription(demo, licence, `xer-${plan}-${isYearly ? "yearly" : "monthly"}`, status, periodEnd);
  writeDevices(demo, user, licence, 1);
  return licence;
}

/** Writes active devices. Some of them replace a device that was deactivated. */
function writeDevices(demo: Demo, user: User, licence: Licence, count: number): void {
  const { now, random } = demo;
  const osUser = user.email.split("@")[0] ?? "";
  const end = licence.expiresAt < now ? licence.expiresAt : now;
  const span = (end.getTime() - licence.createdAt.getTime()) / DAY;
  for (let number = 0; number < count; number++) {
    const isVm = licence.allowOnVms && random.chance(0.3);
    let since = addMilliseconds(licence.createdAt, Math.min(span / 4, random.next() * 6) * DAY);
    if (span > 30 && random.chance(0.35)) {
      const deactivatedAt = addMilliseconds(since, random.next() * (span / 2) * DAY);
      const replaced = createDeviceHistory(
        demo,
        licence,
        { ...generateMachine(random, osUser), isVm },
        since,
        deactivatedAt,
      );
      const by = random.chance(0.8) ? "customer" : "admin";
      deactivatePastDevice(demo, replaced, user, deactivatedAt, by, random.pick(deactivationReasons));
      since = addMilliseconds(deactivatedAt, random.int(1, 50) * 60_000);
    }
    createDeviceHistory(
      demo,
      licence,
      { ...generateMachine(random, osUser), isVm },
      since,
      addMilliseconds(end, -random.next() * DAY),
    );
  }
}

function archiveUser(demo: Demo, user: User, licence: Licence | null): void {
  user.archivedAt = daysAgo(demo, demo.random.int(1, 6));
  if (licence) licence.suspendedAt = user.archivedAt;
}

function blockMachine(demo: Demo, user: User): void {
  const { machineName } = generateMachine(demo.random, "unknown");
  demo.em.create(BlockedMachine, {
    user,
    machineName,
    comparedName: normaliseMachineName(machineName),
    blockedAt: daysAgo(demo, demo.random.int(1, 6)),
  });
}
