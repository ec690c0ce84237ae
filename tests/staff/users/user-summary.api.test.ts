import { describe, expect, test } from "vitest";
import { signIn } from "#api/access/sessions/sign-in.ts";
import { createDevice, createLicence } from "#tests/factories/licence.ts";
import { createSubscriber } from "#tests/factories/subscription.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp({ rateLimits: true });
const admin = await signInAs(app, await createAdmin(app));

async function summarise(id: string) {
  const { data, errors } = await app.graphql(
    `query ($id: ID!) { userSummary(id: $id) {
       plan planEndsAt pastDueSince pastDueCents lastSignInAt lastDeviceAt signInBlockedUntil } }`,
    { id },
    admin,
  );
  expect(errors).toBeUndefined();
  return data.userSummary;
}

const updateSubscription = (id: string, set: string) =>
  app.services.pool.query(`update subscriptions set ${set} where id = $1`, [id]);

describe("userSummary", () => {
  test("has only nulls for a new user", async () => {
    const user = await createUser(app);
    const summary = await summarise(user.id);
    expect(Object.values(summary).every((value) => value === null)).toBe(true);
  });

  test("shows the plan, and the amount with GST once a renewal is past due", async () => {
    const { user, subscription } = await createSubscriber(app);
    expect(await summarise(user.id)).toMatchObject({
      plan: "Professional, monthly",
      planEndsAt: null,
      pastDueSince: null,
      pastDueCents: null,
      lastSignInAt: expect.any(String),
    });
    await updateSubscription(
      subscription.id,
      "status = 'past_due', amount_cents = 10000, gst_basis_points = 1000, paid_until = '2026-01-02T00:00:00Z'",
    );
    expect(await summarise(user.id)).toMatchObject({ pastDueSince: "2026-01-02T00:00:00.000Z", pastDueCents: 11_000 });
    await updateSubscription(
      subscription.id,
      "status = 'active', paid_until = null, is_cancelled_at_period_end = true",
    );
    expect(await summarise(user.id)).toMatchObject({
      planEndsAt: subscription.currentPeriodEndsAt.toISOString(),
      pastDueSince: null,
    });
  });

  test("shows the latest sign-in and the latest licence check", async () => {
    const user = await createUser(app);
    await signInAs(app, user);
    const licence = await createLicence(app, user);
    const lastSeenAt = app.clock.now();
    await createDevice(app, licence, { lastSeenAt });
    await createDevice(app, licence, { lastSeenAt: new Date(lastSeenAt.getTime() - 60_000) });
    expect(await summarise(user.id)).toMatchObject({
      lastSignInAt: expect.any(String),
      lastDeviceAt: lastSeenAt.toISOString(),
    });
  });

  test("shows until when sign-in is blocked after five wrong passwords, in any case of the address", async () => {
    const user = await createUser(app, { email: "Blocked.User@example.com" });
    const attempt = () =>
      signIn(app.context(), { email: user.email.toUpperCase(), password: "Wrong-pass-1" }, "portal").catch(() => null);
    for (let n = 0; n < 4; n++) await attempt();
    expect((await summarise(user.id)).signInBlockedUntil).toBeNull();
    await attempt();
    expect(Date.parse((await summarise(user.id)).signInBlockedUntil)).toBeGreaterThan(Date.now() - 1_000);
  });
});
