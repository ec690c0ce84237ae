import { beforeEach, expect, test, vi } from "vitest";
import { requestPasswordReset } from "#api/access/passwords/request-password-reset.ts";
import { isResetTokenValid, resetPassword } from "#api/access/passwords/reset-password.ts";
import { signIn } from "#api/access/sessions/sign-in.ts";
import { verifyPassword } from "#api/access/sessions/password.ts";
import { MINUTE } from "#api/platform/clock.ts";
import { createContext } from "#api/platform/context.ts";
import type { AppError } from "#api/platform/errors.ts";
import { User } from "#api/people/users/user.entity.ts";
import { hashSecret } from "#api/platform/keys/secrets.ts";
import { createUser, testPassword } from "#tests/factories/user.ts";
import { listEmailsTo, findEmailedSecret } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { openSecondProcess } from "#tests/support/two-processes.ts";
import { whenDone } from "#tests/support/when-done.ts";

const hasher = vi.hoisted(() => ({ passwords: [] as string[], opened: Promise.resolve(), rejectsAll: false }));
vi.mock("@node-rs/argon2", async (original) => {
  const real = await original<typeof import("@node-rs/argon2")>();
  const verify: typeof real.verify = async (hash, password, ...rest) => {
    hasher.passwords.push(String(password));
    await hasher.opened;
    if (hasher.rejectsAll) return false;
    return real.verify(hash, password, ...rest);
  };
  return { ...real, verify };
});

const app = await startTestApp({ rateLimits: true });
const processes = [app.services, await openSecondProcess(app)];

/** Number of strangers so far. Each has a separate IP address, and they alternate between the two processes. */
let place = 0;
function createStranger() {
  place++;
  const ip = `10.${place >> 16}.${(place >> 8) & 255}.${place & 255}`;
  return createContext(processes[place % 2] ?? app.services, { origin: { ip } });
}
const owner = () => createContext(app.services, { origin: { ip: "203.0.113.7" } });

const outcome = (request: Promise<unknown>): Promise<string> =>
  request.then(
    () => "answered",
    (error: AppError) => error.code,
  );

/** Runs calls in batches of `atOnce` concurrent ones, so that the test doesn't exhaust the database connections. */
async function inBatches<T>(total: number, atOnce: number, one: (n: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  while (results.length < total)
    results.push(...(await Promise.all(Array.from({ length: atOnce }, (_, n) => one(results.length + n)))));
  return results;
}

beforeEach(() => {
  hasher.passwords.length = 0;
  hasher.rejectsAll = false;
});

test("lets 5 of 200 guesses from 200 IP addresses reach the hasher, and lets the owner in after a reset", async () => {
  const { email } = await createUser(app);
  const outcomes = await inBatches(200, 20, (n) =>
    outcome(signIn(createStranger(), { email: n % 2 ? email : email.toUpperCase(), password: `Guess-${n}` }, "portal")),
  );
  const guesses = new Set(hasher.passwords);
  expect(guesses.size).toBe(5);
  expect(outcomes.filter((one) => one === "answered")).toHaveLength(5);
  expect(outcomes.filter((one) => one === "UNAVAILABLE")).toHaveLength(195);

  // The owner has to wait in a new browser, even with the right password. The reset link lets them in.
  expect(await outcome(signIn(owner(), { email, password: testPassword }, "portal"))).toBe("UNAVAILABLE");
  await requestPasswordReset(owner(), email);
  const password = "Gantt-charts-44";
  const resetToken = await findEmailedSecret(app, email);
  const reset = await resetPassword(owner(), { password, confirmPassword: password, resetToken });
  if (reset.kind !== "signed-in") throw new Error("the reset did not sign in");
  expect((await app.graphql("{ me { email } }", {}, reset.tokens.accessToken)).data.me.email).toBe(email);
  expect((await signIn(createStranger(), { email, password }, "portal")).kind).toBe("signed-in");
});

test("rejects the 21st guess in an hour even if the guesses come slowly", async () => {
  const { email } = await createUser(app);
  // The limits count real time. Deleting the counts of a minute simulates that it has passed.
  const minutePasses = () =>
    app.services.pool.query("delete from rate_limits where key like any ($1)", [
      ["signInByAddressAndEmail:%", "signInByEmailPerMinute:%"],
    ]);
  const outcomes: string[] = [];
  for (let minute = 0; minute < 6; minute++) {
    for (let n = 0; n < 5; n++)
      outcomes.push(await outcome(signIn(createStranger(), { email, password: `Guess-${minute}-${n}` }, "portal")));
    await minutePasses();
  }
  expect(outcomes.filter((one) => one === "answered")).toHaveLength(20);
  expect(new Set(hasher.passwords).size).toBe(20);
});

test("rejects known and unknown emails with the same text when locked out", async () => {
  const refusal = async (email: string) => {
    const values = { email, password: "Wrong-pass-1" };
    for (let n = 0; n < 5; n++) await signIn(createStranger(), values, "portal");
    const error = await signIn(createStranger(), values, "portal").catch((thrown: AppError) => thrown);
    const { code, message, fields } = error as AppError;
    return { code, message, fields };
  };
  const archived = await createUser(app, { archivedAt: app.clock.now() });
  const unconfirmed = await createUser(app, { emailConfirmedAt: null });
  const expected = await refusal("nobody-here@example.com");
  expect(expected.code).toBe("UNAVAILABLE");
  for (const { email } of [await createUser(app), archived, unconfirmed])
    expect(await refusal(email)).toEqual(expected);
});

test("sends few emails for 60 concurrent reset requests, and the newest link works", async () => {
  const { id, email } = await createUser(app);
  const outcomes = await inBatches(60, 10, () => outcome(requestPasswordReset(createStranger(), email)));
  expect(new Set(outcomes)).toEqual(new Set(["answered"]));
  expect(await listEmailsTo(app, email)).toHaveLength(5);
  // A link still works after staff have corrected the letter case of the address.
  await app.context().em.nativeUpdate(User, id, { email: email.replace("person", "Person") });
  await requestPasswordReset(owner(), email);
  expect(await listEmailsTo(app, email)).toHaveLength(5);
  expect(await isResetTokenValid(owner(), await findEmailedSecret(app, email))).toBe(true);
});

test("always leaves the owner a reset link that works for nine more minutes, with few emails, while strangers request links for six hours", async () => {
  const { email } = await createUser(app);
  const start = app.clock.offsetMs;
  whenDone(() => app.clock.setOffset(start));
  for (let minutes = 0; minutes <= 6 * 60; minutes += 4) {
    app.clock.setOffset(start + minutes * MINUTE);
    await requestPasswordReset(createStranger(), email);
    const caller = createStranger();
    await requestPasswordReset(caller, email);
    const secret = await findEmailedSecret(app, email);
    app.clock.setOffset(start + (minutes + 9) * MINUTE);
    expect(await isResetTokenValid(caller, secret), `${minutes} minutes`).toBe(true);
  }
  // Five emails immediately, then one every 20 minutes.
  expect((await listEmailsTo(app, email)).length).toBeLessThanOrEqual(5 + 6 * 3);
});

test("replaces a used reset link immediately even if the day's five emails have been sent", async () => {
  const { email } = await createUser(app);
  for (let n = 0; n < 6; n++) await requestPasswordReset(createStranger(), email);
  expect(await listEmailsTo(app, email)).toHaveLength(5);
  const password = "Gantt-charts-44";
  const resetToken = await findEmailedSecret(app, email);
  await resetPassword(owner(), { password, confirmPassword: password, resetToken });
  await requestPasswordReset(createStranger(), email);
  const newer = await findEmailedSecret(app, email);
  expect(newer).not.toBe(resetToken);
  expect(await isResetTokenValid(owner(), newer)).toBe(true);
});

test("doesn't count a sign-in that was rejected because the hasher was full", async () => {
  const { email } = await createUser(app);
  let open = () => {};
  hasher.opened = new Promise((resolve) => (open = resolve));
  // The hasher checks four at a time and lets fifty wait.
  const occupied = Array.from({ length: 54 }, () => verifyPassword(null, "Anything-1", createStranger()));
  await vi.waitFor(() => expect(hasher.passwords).toHaveLength(4));
  const outcomes = await inBatches(25, 5, () =>
    outcome(signIn(createStranger(), { email, password: testPassword }, "portal")),
  );
  expect(new Set(outcomes)).toEqual(new Set(["UNAVAILABLE"]));
  open();
  await Promise.all(occupied);
  expect((await signIn(createStranger(), { email, password: testPassword }, "portal")).kind).toBe("signed-in");
});

test("returns one attempt for each correct password and still counts the wrong ones if all are checked concurrently", async () => {
  const { email } = await createUser(app);
  const countAttemptsThisHour = async (): Promise<number> => {
    const { rows } = await app.services.pool.query("select points from rate_limits where key = $1", [
      `signInByEmailPerHour:${hashSecret(email)}`,
    ]);
    return rows[0]?.points ?? 0;
  };
  for (let round = 0; round < 3; round++) {
    let open = () => {};
    hasher.opened = new Promise((resolve) => (open = resolve));
    const signIns = inBatches(5, 5, (n) =>
      signIn(createStranger(), { email, password: n < 2 ? testPassword : "Wrong-pass-1" }, "portal"),
    );
    await vi.waitFor(async () => expect(await countAttemptsThisHour()).toBe(round * 3 + 5));
    open();
    await signIns;
    expect(await countAttemptsThisHour()).toBe(round * 3 + 3);
  }
});

/** Signs in with a wrong password for a new email address each time, in both processes, and counts the outcomes. */
async function guessManyEmails(count: number, toIp: (n: number) => string): Promise<Record<string, number>> {
  hasher.rejectsAll = true;
  const outcomes = await inBatches(count, 10, (n) => {
    const context = createContext(processes[n % 2] ?? app.services, { origin: { ip: toIp(n) } });
    const email = `guess-${n}-${toIp(0).replaceAll(":", "-")}@example.com`;
    return outcome(signIn(context, { email, password: `Guess-${n}-of-many` }, "portal"));
  });
  return Object.fromEntries([...new Set(outcomes)].map((one) => [one, outcomes.filter((o) => o === one).length]));
}

test.each([
  ["IPv4 address", () => "198.51.100.9"],
  ["IPv6 /64", (n: number) => `2001:db8:5:5::${n.toString(16)}`],
])("checks 60 wrong passwords a minute from one %s, in two processes together", async (_name, toIp) => {
  expect(await guessManyEmails(90, toIp)).toEqual({ answered: 60, RATE_LIMITED: 30 });
  expect(new Set(hasher.passwords).size).toBe(60);
});

test("answers 503, and never 429, to the right password while 400 IP addresses guess, and 200 afterwards", async () => {
  const { email } = await createUser(app);
  const resetTotal = () => app.services.pool.query("delete from rate_limits where key like 'passwordInTotal:%'");
  await resetTotal();
  const counts = await guessManyEmails(400, (n) => `10.77.${n >> 8}.${n & 255}`);
  // A new window of ten seconds may begin during the flood.
  expect(counts.answered).toBeGreaterThanOrEqual(200);
  expect(counts.RATE_LIMITED).toBeUndefined();
  hasher.rejectsAll = false;
  await app.services.pool.query(
    "update rate_limits set points = 200, expire = expire + 60000 where key like 'passwordInTotal:%'",
  );
  expect(await outcome(signIn(owner(), { email, password: testPassword }, "portal"))).toBe("UNAVAILABLE");
  await resetTotal();
  expect((await signIn(owner(), { email, password: testPassword }, "portal")).kind).toBe("signed-in");
});
