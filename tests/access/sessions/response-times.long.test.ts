import { expect, test } from "vitest";
import { hashPassword } from "#api/access/sessions/password.ts";
import { createAccountCalls, freshEmail } from "#tests/factories/account.ts";
import { buildRegistration, createUser } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const { register, requestReset, signIn } = createAccountCalls(app);

/** Creates a user whose password hash costs as much as in production. */
const createRealUser = async (changes = {}) =>
  createUser(app, { passwordHash: await hashPassword("Planner-tasks-47"), ...changes });

type Calls = Readonly<Record<string, () => Promise<unknown>>>;

/**
 * Compares the median gaps between calls with a limit, and measures again up to twice while one exceeds it. A busy machine can
 * cause a gap once, but a real difference appears every time.
 */
async function expectEqualTimes(limitMs: number, rounds: number, calls: Calls): Promise<void> {
  let gaps = await measureMedianGaps(rounds, calls);
  for (let again = 0; again < 2 && Object.values(gaps).some((gap) => Math.abs(gap) >= limitMs); again++)
    gaps = await measureMedianGaps(rounds, calls);
  for (const [kind, gap] of Object.entries(gaps)) expect(Math.abs(gap), kind).toBeLessThan(limitMs);
}

/**
 * Measures how many milliseconds each call is slower than the first one, as the median of all rounds. Every round makes
 * each call once and starts with a different one, so that a warm cache or a busy moment favours none of them.
 */
async function measureMedianGaps(rounds: number, calls: Calls): Promise<Record<string, number>> {
  const names = Object.keys(calls);
  const [first = "", ...others] = names;
  const gaps = new Map<string, number[]>(others.map((name) => [name, []]));
  const warmUp = 5;
  for (let round = -warmUp; round < rounds; round++) {
    const took: Record<string, number> = {};
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(round + warmUp + turn) % names.length] ?? "";
      const started = performance.now();
      await calls[name]?.();
      took[name] = performance.now() - started;
    }
    if (round < 0) continue;
    for (const [name, list] of gaps) list.push((took[name] ?? Number.NaN) - (took[first] ?? Number.NaN));
  }
  return Object.fromEntries([...gaps].map(([name, list]) => [name, median(list)]));
}

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
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
