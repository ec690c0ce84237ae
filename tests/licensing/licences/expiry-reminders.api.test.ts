import { afterEach, describe, expect, test } from "vitest";
import type { Licence } from "#api/licensing/licences/licence.entity.ts";
import { announceExpiringLicences } from "#api/licensing/licences/announce-expiring-licences.ts";
import { after, DAY, HOUR } from "#api/platform/clock.ts";
import { runUntilDone } from "#api/platform/due-work.ts";
import { createLicence, createSubscription } from "#tests/factories/licence.ts";
import { createCorporateUser, createUser } from "#tests/factories/user.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { mailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();

afterEach(() => app.clock.setOffset(0));

const sweep = () => runUntilDone(app.services, announceExpiringLicences);
const subjects = async (user: User) => (await mailsTo(app, user.email)).map(({ subject }) => subject).toReversed();

/** A year's licence that ends in so many days. */
const endsIn = (user: User, days: number, changes: Partial<Licence> = {}) =>
  createLicence(app, user, {
    createdAt: after(app.clock.now(), -300 * DAY),
    expiresAt: after(app.clock.now(), days * DAY),
    ...changes,
  });

describe("the end of a licence", () => {
  test("is announced 30, 7 and 1 days before, each once", async () => {
    const user = await createUser(app);
    await endsIn(user, 40);
    for (let day = 0; day <= 42; day++) {
      app.clock.setOffset(day * DAY + HOUR);
      await sweep();
      await sweep();
    }
    expect(await subjects(user)).toEqual([
      "Your XER Bridge licence ends in 30 days",
      "Your XER Bridge licence ends in 7 days",
      "Your XER Bridge licence ends within a day",
    ]);
  });

  test("is announced by two processes at once no more than once", async () => {
    const user = await createUser(app);
    await endsIn(user, 29.5);
    await Promise.all([sweep(), sweep(), sweep()]);
    expect(await subjects(user)).toHaveLength(1);
  });

  test("is announced anew when it was moved", async () => {
    const user = await createUser(app);
    const licence = await endsIn(user, 6.5);
    await sweep();
    await app.services.pool.query("update licences set expires_at = $2 where id = $1", [
      licence.id,
      after(app.clock.now(), 29.5 * DAY),
    ]);
    await sweep();
    expect(await subjects(user)).toHaveLength(2);
  });

  test("is announced in the days that are really left, after a weekend without mail, and not a week late", async () => {
    const [late, tooLate] = [await createUser(app), await createUser(app)];
    await endsIn(late, 28);
    await endsIn(tooLate, 25);
    await sweep();
    expect(await subjects(late)).toEqual(["Your XER Bridge licence ends in 28 days"]);
    expect(await subjects(tooLate)).toEqual([]);
  });

  test("leads a customer to the subscription, and a corporate one to us", async () => {
    const [regular, corporate] = [await createUser(app), await createCorporateUser(app)];
    const licence = await endsIn(regular, 6.5);
    await endsIn(corporate, 6.5, { productLevel: 16 });
    await sweep();
    const [own] = await mailsTo(app, regular.email);
    expect(own?.text).toContain("/manage-subscription/");
    expect(own?.text).toContain(licence.supportCode);
    const [theirs] = await mailsTo(app, corporate.email);
    expect(theirs?.text).not.toContain("/manage-subscription/");
    expect(theirs?.text).toContain("Corporate Dark Concurrent");
  });
});

describe("nobody is reminded", () => {
  const now = app.clock.now();
  test.each<[string, Partial<Licence>]>([
    ["of a trial", { productLevel: 3 }],
    ["of a trial of old", { productLevel: 13 }],
    ["of a revoked licence", { revokedAt: now }],
    ["of a suspended licence", { suspendedAt: now }],
    ["of a licence that was shorter from the start", { createdAt: now }],
    ["of a licence that has ended", { expiresAt: after(now, -HOUR) }],
  ])("%s", async (_, changes) => {
    const user = await createUser(app);
    await endsIn(user, 6.5, changes);
    await sweep();
    expect(await subjects(user)).toEqual([]);
  });

  test("whose account is archived", async () => {
    const user = await createUser(app, { archivedAt: now });
    await endsIn(user, 6.5);
    await sweep();
    expect(await subjects(user)).toEqual([]);
  });

  test.each(["active", "past_due"] as const)("whose subscription (%s) keeps the licence alive", async (status) => {
    const user = await createUser(app);
    await createSubscription(app, await endsIn(user, 6.5), { status });
    await sweep();
    expect(await subjects(user)).toEqual([]);
  });

  test("but whose subscription was cancelled and ends with the licence is", async () => {
    const user = await createUser(app);
    await createSubscription(app, await endsIn(user, 6.5), { isCancelledAtPeriodEnd: true });
    await sweep();
    expect(await subjects(user)).toHaveLength(1);
  });

  test("but whose subscription is over and whose licence was prolonged is", async () => {
    const user = await createUser(app);
    await createSubscription(app, await endsIn(user, 6.5), { status: "cancelled" });
    await sweep();
    expect(await subjects(user)).toHaveLength(1);
  });
});
