import type { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import type { LicenceEventKind } from "#schema/licence-history.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { countActivity } from "#api/staff/dashboard/count-activity.ts";
import { setMinimumVersion } from "#api/releases/software/set-minimum-version.ts";
import { addMilliseconds, DAY, HOUR } from "#api/platform/clock.ts";
import { runSweep } from "#api/platform/jobs/sweeps.ts";
import {
  createDevice,
  createLicence,
  createRevokedLicence,
  createSubscription,
  createTrialLicence,
} from "#tests/factories/licence.ts";
import { createLicenceEvent } from "#tests/factories/licence-events.ts";
import { publishTestBuild } from "#tests/factories/software.ts";
import { createUser } from "#tests/factories/user.ts";
import type { TestApp } from "#tests/support/test-app.ts";

/** Creates a business with known figures, which `dashboard.api.test.ts` checks. */
export async function createKnownBusiness(app: TestApp, staff: User): Promise<void> {
  const now = app.clock.now();
  const daysAgo = (days: number) => addMilliseconds(now, -days * DAY);

  const createEvent = (at: Date, kind: LicenceEventKind, resultCode: number, changes: Partial<LicenceEvent>) =>
    createLicenceEvent(app, { at, kind, resultCode, machineName: "PLAN-1", addInVersion: "7.2.0", ...changes });

  const createTrial = async (user: User, days: number) =>
    createTrialLicence(app, user, { createdAt: daysAgo(days), expiresAt: addMilliseconds(daysAgo(days), 14 * DAY) });

  async function subscribe(user: User, planPrice: string, changes: Parameters<typeof createSubscription>[2] = {}) {
    const licence = await createLicence(app, user, { createdAt: changes?.startedAt ?? now });
    return createSubscription(app, licence, { planPrice, ...changes });
  }

  const user = (changes: Partial<User> = {}) => createUser(app, changes);
  const ended = (startedDaysAgo: number, endedDaysAgo: number) =>
    ({ status: "cancelled", startedAt: daysAgo(startedDaysAgo), endedAt: daysAgo(endedDaysAgo) }) as const;

  // Trials of the period: one refunded, one archived, one whose user had subscribed long before, and one that expired.
  // Another trial started in the previous period and converted in this one.
  const later = await user();
  await createTrial(later, 40);
  await subscribe(later, "xer-professional-monthly", { startedAt: daysAgo(5), amountCents: 14_995 });

  const refunded = await user();
  await createTrial(refunded, 20);
  const paidBack = await createRevokedLicence(app, refunded);
  const monthly = { planPrice: "xer-professional-monthly", amountCents: 14_995 };
  await createSubscription(app, paidBack, { ...monthly, ...ended(15, 12) });

  await createTrial(await user({ archivedAt: daysAgo(1) }), 10);
  const before = await user();
  await createTrial(before, 9);
  await subscribe(before, "xer-standard-monthly", ended(300, 100));
  await createTrial(await user(), 3);
  // Created by staff, with an old trial level.
  await createLicence(app, await user(), { productLevel: 8, createdAt: daysAgo(2), expiresAt: daysAgo(1) });
  await createTrial(await user(), 61);

  // Running, yearly, at the catalogue price. A discounted first invoice doesn't change the price per period.
  await subscribe(await user(), "xer-professional-yearly", { startedAt: daysAgo(200), amountCents: 142_400 });
  await subscribe(await user(), "xer-professional-yearly", { startedAt: daysAgo(10), amountCents: null });
  const overdue = { startedAt: daysAgo(70), status: "past_due", amountCents: 11_245 } as const;
  await subscribe(await user(), "xer-plus-monthly", overdue);
  const leaving = { startedAt: daysAgo(45), amountCents: 10_000, isCancelledAtPeriodEnd: true };
  await subscribe(await user({ archivedAt: daysAgo(3) }), "xer-plus-monthly", leaving);
  // The paid period ended without renewal, but the payment provider still reports the subscription as active.
  const unpaid = { startedAt: daysAgo(40), paidUntil: daysAgo(4), currentPeriodEndsAt: daysAgo(4) };
  await subscribe(await user(), "xer-plus-monthly", { ...unpaid, amountCents: 11_245 });
  // One ended in the period, one in the previous period.
  await subscribe(await user(), "xer-standard-monthly", { ...ended(90, 7), amountCents: 7_495 });
  await subscribe(await user(), "xer-standard-monthly", ended(90, 35));

  const licence = await createLicence(app, await user(), { expiresAt: addMilliseconds(now, 15 * DAY) });
  const devices = [];
  for (let n = 0; n < 3; n++) devices.push(await createDevice(app, licence));
  const [first, second, third] = devices.map(({ id }) => ({ licenceId: licence.id, deviceId: id }));
  if (!first || !second || !third) throw new Error("no devices");
  await createEvent(daysAgo(50), "activate", 1, { ...first, addInVersion: "6.9.0" });
  await createEvent(daysAgo(45), "validate", 1, { ...first, addInVersion: "6.9.0", count: 4 });
  await createEvent(daysAgo(20), "activate", 1, { ...second, addInVersion: "7.1.0" });
  await createEvent(daysAgo(20), "validate", 1, { ...second, addInVersion: "7.1.0", count: 9 });
  await createEvent(daysAgo(19), "offline", 1, third);
  await createEvent(daysAgo(19), "validate", 1, { ...third, count: 3 });
  await createEvent(addMilliseconds(now, -HOUR / 2), "validate", 1, { ...second, addInVersion: "7.2.0", count: 2 });
  await createEvent(daysAgo(1), "validate", 20, { licenceId: licence.id });
  await createEvent(daysAgo(29), "activate", 20, { licenceId: licence.id });
  await createEvent(daysAgo(31), "activate", 20, { licenceId: licence.id });
  await createEvent(daysAgo(2), "activate", 22, { licenceId: licence.id });
  await createEvent(daysAgo(2), "lease", 30, { licenceId: licence.id });
  await createEvent(daysAgo(2), "heartbeat", 1, { ...third, count: 50 });

  await createLicence(app, await user(), { expiresAt: addMilliseconds(now, 89 * DAY) });
  await createLicence(app, await user(), { expiresAt: addMilliseconds(now, 91 * DAY) });

  await publishTestBuild(app, "7.2.0");
  const actor = { userId: staff.id, sessionId: staff.id, role: "admin" as const };
  const context = app.context();
  await setMinimumVersion({ ...context, em: context.em, actor }, 4, "7.0.0");
  await runSweep(app.services, countActivity);
}
