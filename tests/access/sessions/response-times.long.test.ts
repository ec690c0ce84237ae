import { expect, test } from "vitest";
import { hashPassword } from "#api/access/sessions/password.ts";
import { createAccountCalls, freshEmail } from "#tests/factories/account.ts";
import { buildRegistration, createUser } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { measureGaps } from "#tests/support/timing.ts";

const app = await startTestApp();
const { register, requestReset, signIn } = createAccountCalls(app);

/** Creates a user whose password hash costs as much as in production. */
const createRealUser = async (changes = {}) =>
  createUser(app, { passwordHash: await hashPassword("Planner-tasks-47"), ...changes });

async function expectEqualTimes(limitMs: number, rounds: number, calls: Record<string, () => Promise<unknown>>) {
  for (const [kind, gap] of Object.entries(await measureGaps(limitMs, rounds, calls)))
    expect(Math.abs(gap), kind).toBeLessThan(limitMs);
}

test("wrong passwords take the same time for every kind of address", async () => {
  const wanted = await createRealUser();
  await register(buildRegistration({ email: wanted.email }));
  const tryPassword = (email: string) => async () =>
    expect((await signIn(email, "Wrong-pass-1")).json).toHaveProperty("invalid_grant");
  const unknown = tryPassword("nobody@example.com");
  await expectEqualTimes(10, 200, { unknown, known: tryPassword((await createRealUser()).email) });
  await expectEqualTimes(10, 40, {
    unknown,
    unconfirmed: tryPassword((await createRealUser({ emailConfirmedAt: null })).email),
    archived: tryPassword((await createRealUser({ archivedAt: app.clock.now() })).email),
    wanted: tryPassword(wanted.email),
  });
});

test("the password of a pending registration takes the same time for new and taken addresses", async () => {
  const [free, { email: taken }, password] = [freshEmail(), await createRealUser(), "Critical-path-1"];
  for (const email of [free, taken]) await register(buildRegistration({ email, password, confirmPassword: password }));
  await expectEqualTimes(5, 50, { free: () => signIn(free, password), taken: () => signIn(taken, password) });
});

test("registrations take the same time for new and taken addresses", async () => {
  const { email } = await createRealUser();
  const registerWith = (changes: object) => () => register(buildRegistration({ ...changes }));
  await expectEqualTimes(10, 200, { free: registerWith({}), taken: registerWith({ email }) });
});

test("requests for a reset link take the same time for known and unknown addresses", async () => {
  const { email } = await createRealUser();
  await expectEqualTimes(10, 200, {
    unknown: () => requestReset("nobody@example.com"),
    known: () => requestReset(email),
  });
});
