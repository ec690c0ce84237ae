import { beforeEach, expect, test, vi } from "vitest";
import { requestPasswordReset } from "#api/access/passwords/request-password-reset.ts";
import { isResetTokenValid, resetPassword } from "#api/access/passwords/reset-password.ts";
import { signIn } from "#api/access/sessions/sign-in.ts";
import { isPassword } from "#api/access/sessions/password.ts";
import { HOUR, MINUTE } from "#api/platform/clock.ts";
import { createContext } from "#api/platform/context.ts";
import type { AppError } from "#api/platform/errors.ts";
import { hashSecret } from "#api/platform/secrets.ts";
import { createUser, testPassword } from "#tests/factories/user.ts";
import { mailsTo, secretMailedTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { openBeside } from "#tests/support/two-processes.ts";

const hasher = vi.hoisted(() => ({ passwords: [] as string[], opened: Promise.resolve() }));
vi.mock("@node-rs/argon2", async (original) => {
  const real = await original<typeof import("@node-rs/argon2")>();
  const verify: typeof real.verify = async (hash, password, ...rest) => {
    hasher.passwords.push(String(password));
    await hasher.opened;
    return real.verify(hash, password, ...rest);
  };
  return { ...real, verify };
});

const app = await startTestApp({ rateLimits: true });
const processes = [app.services, await openBeside(app)];

/** A caller at an address of its own, at one process or the other. */
let place = 0;
function stranger() {
  place++;
  const ip = `10.${place >> 16}.${(place >> 8) & 255}.${place & 255}`;
  return createContext(processes[place % 2] ?? app.services, { origin: { ip } });
}
const owner = () => createContext(app.services, { origin: { ip: "203.0.113.7" } });

const outcome = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => "answered",
    (error: AppError) => error.code,
  );

/** Runs so many at a time, as a botnet would, without wanting more connections than there are. */
async function inBatches<T>(many: number, atOnce: number, one: (n: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  while (results.length < many)
    results.push(...(await Promise.all(Array.from({ length: atOnce }, (_, n) => one(results.length + n)))));
  return results;
}

beforeEach(() => {
  hasher.passwords.length = 0;
});

test("of 1,000 guesses at one account over 1,000 addresses and two processes five reach the hasher; a reset lets the owner in", async () => {
  const { email } = await createUser(app);
  const outcomes = await inBatches(1_000, 20, (n) =>
    outcome(
      signIn(stranger(), { email: n % 2 ? email : email.toUpperCase(), password: `Guess-${n}-of-1000` }, "portal"),
    ),
  );
  const guesses = new Set(hasher.passwords);
  expect(guesses.size).toBe(5);
  expect(outcomes.filter((one) => one === "answered")).toHaveLength(5);
  expect(outcomes.filter((one) => one === "RATE_LIMITED")).toHaveLength(995);

  // The owner waits like everybody else, even with the right password; the mailbox is the way in.
  expect(await outcome(signIn(owner(), { email, password: testPassword }, "portal"))).toBe("RATE_LIMITED");
  await requestPasswordReset(owner(), email);
  const password = "Gantt-charts-44";
  const resetToken = await secretMailedTo(app, email);
  const reset = await resetPassword(owner(), { password, confirmPassword: password, resetToken });
  if (reset.kind !== "signed-in") throw new Error("the reset did not sign in");
  expect((await app.graphql("{ me { email } }", {}, reset.tokens.accessToken)).data.me.email).toBe(email);
  expect((await signIn(stranger(), { email, password }, "portal")).kind).toBe("signed-in");
}, 60_000);

test("the 21st guess of an hour is not checked, however slowly they come", async () => {
  const { email } = await createUser(app);
  // The limits count real time: a minute that has passed is one whose count has gone.
  const minutePasses = () =>
    app.services.pool.query("delete from rate_limits where key like any ($1)", [
      ["signInByAddressAndEmail:%", "signInByEmailPerMinute:%"],
    ]);
  const outcomes: string[] = [];
  for (let minute = 0; minute < 6; minute++) {
    for (let n = 0; n < 5; n++)
      outcomes.push(await outcome(signIn(stranger(), { email, password: `Guess-${minute}-${n}` }, "portal")));
    await minutePasses();
  }
  expect(outcomes.filter((one) => one === "answered")).toHaveLength(20);
  expect(new Set(hasher.passwords).size).toBe(20);
});

test("locked out, a known and an unknown address are told so in the same words", async () => {
  const refusal = async (email: string) => {
    const values = { email, password: "Wrong-pass-1" };
    for (let n = 0; n < 5; n++) await signIn(stranger(), values, "portal");
    const error = await signIn(stranger(), values, "portal").catch((thrown: AppError) => thrown);
    const { code, message, fields } = error as AppError;
    return { code, message, fields };
  };
  const archived = await createUser(app, { archivedAt: app.clock.now() });
  const unconfirmed = await createUser(app, { emailConfirmedAt: null });
  const expected = await refusal("nobody-here@example.com");
  expect(expected.code).toBe("RATE_LIMITED");
  for (const { email } of [await createUser(app), archived, unconfirmed])
    expect(await refusal(email)).toEqual(expected);
});

test("300 strangers at once fill nobody's mailbox, and the newest link there works", async () => {
  const { email } = await createUser(app);
  const outcomes = await inBatches(300, 10, () => outcome(requestPasswordReset(stranger(), email)));
  expect(new Set(outcomes)).toEqual(new Set(["answered"]));
  expect(await mailsTo(app, email)).toHaveLength(5);
  await requestPasswordReset(owner(), email);
  expect(await isResetTokenValid(owner(), await secretMailedTo(app, email))).toBe(true);
}, 30_000);

test("over six hours of strangers asking, the owner who asks always has a link with ten minutes to go, and gets few mails", async () => {
  const { email } = await createUser(app);
  const start = app.clock.offsetMs;
  try {
    for (let minutes = 0; minutes <= 6 * 60; minutes += 4) {
      app.clock.setOffset(start + minutes * MINUTE);
      await requestPasswordReset(stranger(), email);
      const asking = stranger();
      await requestPasswordReset(asking, email);
      const secret = await secretMailedTo(app, email);
      app.clock.setOffset(start + (minutes + 9) * MINUTE);
      expect(await isResetTokenValid(asking, secret), `${minutes} minutes`).toBe(true);
    }
    // Five as they come, then one in twenty minutes.
    expect((await mailsTo(app, email)).length).toBeLessThanOrEqual(5 + 6 * 3);
  } finally {
    app.clock.setOffset(start);
  }
});

test("after the five mails of a day a link that was used or sent elsewhere is replaced at once", async () => {
  const { email } = await createUser(app);
  for (let n = 0; n < 6; n++) await requestPasswordReset(stranger(), email);
  expect(await mailsTo(app, email)).toHaveLength(5);
  const password = "Gantt-charts-44";
  const resetToken = await secretMailedTo(app, email);
  await resetPassword(owner(), { password, confirmPassword: password, resetToken });
  await requestPasswordReset(stranger(), email);
  const newer = await secretMailedTo(app, email);
  expect(newer).not.toBe(resetToken);
  expect(await isResetTokenValid(owner(), newer)).toBe(true);
});

test("an address without an account is answered like one with an account, also after its mails are used up", async () => {
  const email = `${"x".repeat(242)}@example.com`;
  const before = app.clock.offsetMs;
  const outcomes = await inBatches(20, 5, () => outcome(requestPasswordReset(stranger(), email)));
  app.clock.setOffset(before + HOUR);
  outcomes.push(await outcome(requestPasswordReset(stranger(), email)));
  app.clock.setOffset(before);
  expect(new Set(outcomes)).toEqual(new Set(["answered"]));
  expect(await mailsTo(app, email)).toEqual([]);
});

test("a sign-in refused because the hasher is full does not count as a try, over two processes", async () => {
  const { email } = await createUser(app);
  let open = () => {};
  hasher.opened = new Promise((resolve) => (open = resolve));
  // Four are checked at a time and fifty may wait.
  const occupied = Array.from({ length: 54 }, () => isPassword(null, "Anything-1"));
  await vi.waitFor(() => expect(hasher.passwords).toHaveLength(4));
  const outcomes = await inBatches(25, 5, () =>
    outcome(signIn(stranger(), { email, password: testPassword }, "portal")),
  );
  expect(new Set(outcomes)).toEqual(new Set(["UNAVAILABLE"]));
  open();
  await Promise.all(occupied);
  expect((await signIn(stranger(), { email, password: testPassword }, "portal")).kind).toBe("signed-in");
});

test("parallel right passwords give back one try each and leave the wrong ones counted", async () => {
  const { email } = await createUser(app);
  const triesThisHour = async (): Promise<number> => {
    const { rows } = await app.services.pool.query("select points from rate_limits where key = $1", [
      `signInByEmailPerHour:${hashSecret(email)}`,
    ]);
    return rows[0]?.points ?? 0;
  };
  for (let round = 0; round < 3; round++) {
    let open = () => {};
    hasher.opened = new Promise((resolve) => (open = resolve));
    const signIns = inBatches(5, 5, (n) =>
      signIn(stranger(), { email, password: n < 2 ? testPassword : "Wrong-pass-1" }, "portal"),
    );
    await vi.waitFor(async () => expect(await triesThisHour()).toBe(round * 3 + 5));
    open();
    await signIns;
    expect(await triesThisHour()).toBe(round * 3 + 3);
  }
});
