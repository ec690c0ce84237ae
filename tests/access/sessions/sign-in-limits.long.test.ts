import { afterEach, expect, test, vi } from "vitest";
import { verifyPassword } from "#api/access/sessions/password.ts";
import { signIn } from "#api/access/sessions/sign-in.ts";
import { createContext } from "#api/platform/context.ts";
import type { AppError } from "#api/platform/errors.ts";
import { COMMON_PASSWORD_MESSAGE } from "#schema/password.ts";
import { createAccountCalls } from "#tests/factories/account.ts";
import { createTwoStepUser } from "#tests/factories/two-step.ts";
import { createSignedIn, createUser, buildRegistration, testPassword } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

/** Every password check waits while `busy` is set. New hashes have the smallest cost. */
const hasher = vi.hoisted(() => ({ busy: null as Promise<void> | null, checked: [] as string[] }));
vi.mock("@node-rs/argon2", async (original) => {
  const real = await original<typeof import("@node-rs/argon2")>();
  const verify: typeof real.verify = async (hash, password, ...rest) => {
    await hasher.busy;
    hasher.checked.push(String(password));
    return real.verify(hash, password, ...rest);
  };
  const hash: typeof real.hash = (password) => real.hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 });
  return { ...real, hash, verify };
});

const app = await startTestApp({ rateLimits: true });
const { changePassword, register, requestResetToken, signIn: token, validateResetToken } = createAccountCalls(app);

afterEach(() => {
  hasher.busy = null;
  hasher.checked.length = 0;
});

/** Fills the queue of password checks, from many IP addresses, while `work` runs. */
async function withFullQueue(work: () => Promise<void>): Promise<void> {
  let release = () => {};
  hasher.busy = new Promise((resolve) => {
    release = resolve;
  });
  const waiting = Array.from({ length: 54 }, (_, n) =>
    verifyPassword(null, "Waits-in-line-1", createContext(app.services, { origin: { ip: `10.8.0.${n}` } })),
  );
  await Promise.resolve();
  try {
    await work();
  } finally {
    release();
    hasher.busy = null;
    await Promise.all(waiting);
  }
}

const outcome = (attempt: Promise<{ kind: string }>): Promise<string> =>
  attempt.then(
    ({ kind }) => kind,
    (error: AppError) => error.code,
  );

test("checks two passwords for every kind of address, so that response times don't reveal accounts", async () => {
  const emails = ["nobody@example.com"];
  for (const changes of [{}, { archivedAt: app.clock.now() }, { emailConfirmedAt: null }])
    emails.push((await createUser(app, changes)).email);
  for (const email of emails) {
    hasher.checked.length = 0;
    expect((await token(email, "Wrong-pass-1")).json).toHaveProperty("invalid_grant");
    expect([email, hasher.checked.length]).toEqual([email, 2]);
  }
});

test("a registration rejects breached passwords without using up the address's tries", async () => {
  const submit = (password: string) => register(buildRegistration({ password, confirmPassword: password }));
  for (const password of ["thunder1", "Thunder1", "7hund3r1!", "rush2112", "babylon5", "heather1"])
    expect((await submit(password)).json).toEqual({ password: [COMMON_PASSWORD_MESSAGE] });
  expect((await submit("Gantt-charts-44")).status).toBe(200);
});

test("does not count the correct password for an unconfirmed, archived or two-step account", async () => {
  const { user: twoStep } = await createTwoStepUser(app);
  const archived = await createUser(app, { archivedAt: app.clock.now() });
  const unconfirmed = await createUser(app, { emailConfirmedAt: null });
  for (const [user, kind] of [
    [twoStep, "two-step"],
    [archived, "not-active"],
    [unconfirmed, "not-confirmed"],
  ] as const)
    for (let n = 0; n < 21; n++)
      expect(await outcome(signIn(app.context(), { email: user.email, password: testPassword }, "portal"))).toBe(kind);
});

test("counts wrong passwords for one account even if the same IP address signs in to another", async () => {
  const victim = await createUser(app);
  const own = await createUser(app);
  const statuses: number[] = [];
  for (let n = 0; n < 8; n++) {
    statuses.push((await token(victim.email, `Wrong-pass-${n}`)).status);
    expect((await token(own.email)).status).toBe(200);
  }
  expect(statuses).toEqual([400, 400, 400, 400, 400, 429, 429, 429]);
});

test("keeps counting wrong passwords for an account after someone registers the same email address", async () => {
  const victim = await createUser(app);
  const password = "Gantt-charts-44";
  await register(buildRegistration({ email: victim.email, password, confirmPassword: password }));
  const statuses: number[] = [];
  for (let n = 0; n < 7; n++) {
    statuses.push((await token(victim.email, `Wrong-pass-${n}`)).status);
    await token(victim.email, password);
  }
  expect(statuses).toEqual([400, 400, 400, 400, 400, 429, 429]);
});

test("returns a rate limit point only to the window it was taken from", async () => {
  const { rateLimits, pool } = app.services;
  const key = `window-${Date.now()}`;
  const point = await rateLimits.take("refresh", key);
  await pool.query("update rate_limits set expire = 1 where key like 'refresh:%'");
  for (let n = 0; n < 30; n++) await rateLimits.take("refresh", key);
  // The point names a window that ended before the current one, so it must not be returned.
  await rateLimits.returnPoints([{ ...point, windowEndsBy: point.windowEndsBy - 60_000 }]);
  await expect(rateLimits.take("refresh", key)).rejects.toMatchObject({ code: "RATE_LIMITED" });
});

test("returns every point that was taken, even after further attempts were rejected", async () => {
  const { rateLimits } = app.services;
  const key = `refused-${Date.now()}`;
  const points = [];
  for (let n = 0; n < 5; n++) points.push(await rateLimits.take("deviceAuthorization", key));
  for (let n = 0; n < 9; n++) expect(await rateLimits.tryTake("deviceAuthorization", key)).toBe(false);
  await rateLimits.returnPoints(points);
  for (let n = 0; n < 5; n++) expect(await rateLimits.tryTake("deviceAuthorization", key)).toBe(true);
  expect(await rateLimits.tryTake("deviceAuthorization", key)).toBe(false);
});

test("does not count a repeated password that could not be checked", async () => {
  const { token: session } = await createSignedIn(app);
  await verifyPassword(null, "Prepares-the-decoy-1");
  await withFullQueue(async () => {
    for (let n = 0; n < 6; n++) expect((await changePassword(session)).status).toBe(503);
    const remove = () =>
      app.graphql('mutation { deleteMyAccount(input: { password: "Wrong-pass-1" }) { id } }', {}, session);
    for (let n = 0; n < 6; n++) expect((await remove()).errors?.[0]?.extensions.code).toBe("UNAVAILABLE");
  });
  expect((await changePassword(session)).status).toBe(200);
});

test("does not count a valid reset link that is opened repeatedly", async () => {
  const resetToken = await requestResetToken(await createUser(app));
  for (let n = 0; n < 12; n++) expect(await validateResetToken(resetToken)).toMatchObject({ status: 200, json: true });
});
