import { LockMode } from "@mikro-orm/core";
import { expect, test } from "vitest";
import { User } from "#api/people/users/user.entity.ts";
import { buildProfile, freshEmail } from "#tests/factories/account.ts";
import { cardFields } from "#tests/factories/subscription.ts";
import { buildRegistration, createSignedIn, createUser } from "#tests/factories/user.ts";
import { atOnce, ROUNDS, sortStatuses } from "#tests/support/crowds.ts";
import { listEmailsTo, findEmailedSecret } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { alternateProcesses } from "#tests/support/two-processes.ts";
import { waitForLock } from "#tests/support/wait-for-lock.ts";

const app = await startTestApp();
const call = await alternateProcesses(app);
const em = () => app.services.orm.em.fork();

const confirm = (confirmationToken: string) => call("POST", "/v1/core/accounts/confirm-email", { confirmationToken });

const requestChange = async (token: string, email: string) =>
  call("PUT", "/v1/core/accounts/update-profile", buildProfile({ email }), token);

/** Returns the secrets of the links in the emails to an address, newest first. */
const findSecrets = async (email: string, pattern: RegExp): Promise<string[]> =>
  (await listEmailsTo(app, email)).flatMap(({ text }) => pattern.exec(text)?.[1] ?? []);

async function countStored(email: string): Promise<{ owners: number; waiting: number }> {
  const { rows } = await app.services.pool.query(
    `select count(*) filter (where sign_in_email is not null)::int as owners,
          count(*) filter (where sign_in_email is null)::int as waiting from users where lower(email) = $1`,
    [email],
  );
  return rows[0];
}

test("keeps one of eight concurrent registrations of an email address, whether or not the address is taken", async () => {
  for (let round = 0; round < ROUNDS.of10; round++) {
    for (const email of [(await createUser(app)).email, buildRegistration().email]) {
      const answers = await atOnce(8, () => call("POST", "/v1/core/accounts", buildRegistration({ email })));
      expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
      expect(await countStored(email)).toEqual({ owners: 1, waiting: 1 });
    }
  }
});

test("doesn't deadlock when registrations switch between two taken email addresses concurrently", async () => {
  const owners = [await createUser(app), await createUser(app)];
  for (let round = 0; round < ROUNDS.of10; round++) {
    const registered = await atOnce(4, () => call("POST", "/v1/core/accounts", buildRegistration()));
    const answers = await Promise.all(
      registered.map(({ json: userId }, n) =>
        call("PUT", "/v1/core/accounts/change-email-address/", { userId, email: owners[n % 2]?.email }),
      ),
    );
    for (const { status } of answers) expect([200, 404]).toContain(status);
    for (const { email } of owners) expect(await countStored(email)).toEqual({ owners: 1, waiting: 1 });
  }
});

test.each([
  ["PUT", "core/accounts/update-profile", null],
  ["POST", "subscriptions/create-trial", null],
  ["POST", "subscriptions/create-subscription", { productId: "xer-professional-monthly", ...cardFields() }],
])("changes nothing on an account that is closed during %s /v1/%s", async (method, path, body) => {
  const { user, token } = await createSignedIn(app);
  const changing = await app.context().em.transactional(async (manager) => {
    const locked = await manager.findOneOrFail(User, user.id, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const profile = buildProfile({ email: user.email, firstName: "Late" });
    const answer = call(method, `/v1/${path}`, body ?? profile, token);
    await waitForLock(app);
    locked.archivedAt = app.clock.now();
    return { answer };
  });
  expect((await changing.answer).status).toBe(401);
  expect(await em().findOneOrFail(User, user.id)).toMatchObject({ firstName: "Ada", hasCompletedTrial: false });
});

const findEmailedSecrets = (email: string) => findSecrets(email, /\?t=([\w-]+)/);

test("gives an email address to one of six users who confirm it concurrently across two processes", async () => {
  const users = [];
  for (let n = 0; n < 6; n++) users.push(await createSignedIn(app));
  for (let round = 0; round < ROUNDS.of10; round++) {
    const { email } = buildRegistration();
    await Promise.all(users.map(({ token }) => requestChange(token, email)));
    const secrets = await findEmailedSecrets(email);
    expect(secrets).toHaveLength(users.length);
    const answers = await Promise.all(secrets.map(confirm));
    expect(sortStatuses(answers)).toEqual([202, 400, 400, 400, 400, 400]);
    expect([await em().count(User, { signInEmail: email }), await em().count(User, { email })]).toEqual([1, 1]);
  }
});

test("confirms only the address that a link was sent to, or none, while the link is being replaced", async () => {
  for (let round = 0; round < ROUNDS.of10; round++) {
    const { user, token } = await createSignedIn(app);
    const [first, second] = [freshEmail(), freshEmail()];
    await requestChange(token, first);
    const [secret = ""] = await findEmailedSecrets(first);
    const answers = await Promise.all([
      ...Array.from({ length: 4 }, () => confirm(secret)),
      ...Array.from({ length: 4 }, () => requestChange(token, second)),
    ]);
    const confirmed = answers.slice(0, 4).filter(({ status }) => status === 202).length;
    expect(answers.map(({ status }) => status).filter((status) => ![200, 202, 400].includes(status))).toEqual([]);
    expect(confirmed).toBeLessThanOrEqual(1);
    const after = await em().findOneOrFail(User, user.id);
    expect(after).toMatchObject({ email: confirmed ? first : user.email, pendingEmail: second });
    expect(after.signInEmail).toBe(after.email);
  }
});

const undo = (token: string) => call("POST", "/v1/core/accounts/undo-email-change", { token });

const findUndoSecrets = (email: string) => findSecrets(email, /\/undo-email-change\/\?t=([\w-]+)/);

async function setUp() {
  const { user, token } = await createSignedIn(app);
  const email = freshEmail();
  await requestChange(token, email);
  return { user, token, email };
}

test("keeps the old address when a change is confirmed and undone at the same time", async () => {
  for (let round = 0; round < ROUNDS.of2; round++) {
    const { user, email } = await setUp();
    const secret = await findEmailedSecret(app, email);
    const [undoSecret = ""] = await findUndoSecrets(user.email);
    const [undone] = await Promise.all([undo(undoSecret), confirm(secret), confirm(secret)]);
    expect(undone.status).toBe(200);
    expect(await em().findOneOrFail(User, user.id)).toMatchObject({ email: user.email, pendingEmail: null });
  }
});

test("undoes a change once, and while the next change is being confirmed", async () => {
  for (let round = 0; round < ROUNDS.of2; round++) {
    const { user, token, email } = await setUp();
    await confirm(await findEmailedSecret(app, email));
    const third = freshEmail();
    await requestChange(token, third);
    const [undoSecret = ""] = await findUndoSecrets(user.email);
    const next = await findEmailedSecret(app, third);
    const answers = await Promise.all([undo(undoSecret), undo(undoSecret), confirm(next), undo(undoSecret)]);
    const undone = [answers[0], answers[1], answers[3]].filter(({ status }) => status === 200);
    expect(undone).toHaveLength(1);
    expect(await em().findOneOrFail(User, user.id)).toMatchObject({ email: user.email, signInEmail: user.email });
    expect(await em().count(User, { signInEmail: third })).toBe(0);
  }
});

test("never gives the old address to somebody who registers it while the change is confirmed", async () => {
  await app.services.pool.query("delete from rate_limits");
  for (let round = 0; round < ROUNDS.of2; round++) {
    const { user, email } = await setUp();
    const secret = await findEmailedSecret(app, email);
    const register = () => call("POST", "/v1/core/accounts", buildRegistration({ email: user.email }));
    await Promise.all([confirm(secret), atOnce(3, register)]);
    expect(await em().count(User, { signInEmail: user.email })).toBe(0);
    const [undoSecret = ""] = await findUndoSecrets(user.email);
    expect((await undo(undoSecret)).status).toBe(200);
    expect(await em().findOneOrFail(User, { signInEmail: user.email })).toMatchObject({ id: user.id });
    await app.services.pool.query("delete from rate_limits");
  }
});
