import { describe, expect, test } from "vitest";
import { User } from "#api/people/users/user.entity.ts";
import { releaseOldAddresses } from "#api/access/registration/email-changes.ts";
import { DAY } from "#api/platform/clock.ts";
import { buildProfile, createAccountCalls, freshEmail } from "#tests/factories/account.ts";
import { createToken } from "#tests/factories/personal-access-token.ts";
import { buildRegistration, createAdmin, createUser, signInAs, createSignedIn } from "#tests/factories/user.ts";
import { findEmailedSecret, listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { memberTypes } from "#schema/user.ts";
import { toCode } from "#schema/closed-list.ts";

const app = await startTestApp();
const { confirm, isSignedIn, loadUser, register, requestResetToken, resetPassword, signIn, updateProfile } =
  createAccountCalls(app);

const invalid = { token: ["Sorry, this link is invalid. It works once, within 7 days."] };
const undo = (token: string) => app.rest("POST", "/v1/core/accounts/undo-email-change", { body: { token } });
const requestChange = (token: string, email: string) => updateProfile(token, buildProfile({ email }));

async function confirmChange(token: string, email: string) {
  await requestChange(token, email);
  expect((await confirm(await findEmailedSecret(app, email))).status).toBe(202);
}

/** Returns the secret of the undo link in the email to an address with this subject. */
async function findUndoSecret(to: string, subject: RegExp): Promise<string> {
  const email = (await listEmailsTo(app, to)).find((one) => subject.test(one.subject));
  expect(email?.text).toContain("valid for 7 days");
  return /\/undo-email-change\/\?t=([\w-]+)/.exec(email?.text ?? "")?.[1] ?? "";
}

async function setUpChanged() {
  const { user, token } = await createSignedIn(app);
  const email = freshEmail();
  await confirmChange(token, email);
  return { user, token, email, secret: await findUndoSecret(user.email, /has changed$/) };
}

describe("undoing an email change", () => {
  test("restores the address once, signs out everywhere and leads to a new password", async () => {
    const { user, token, email, secret } = await setUpChanged();
    const { secret: accessToken } = await createToken(app, user);
    const pending = freshEmail();
    await requestChange(token, pending);
    const reset = await requestResetToken({ email });

    expect(await undo(secret)).toMatchObject({ status: 200, json: true });
    expect(await loadUser(user)).toMatchObject({ email: user.email, signInEmail: user.email, pendingEmail: null });
    expect([await isSignedIn(token), await isSignedIn(accessToken)]).toEqual([false, false]);
    expect((await confirm(await findEmailedSecret(app, pending))).status).toBe(400);
    expect((await resetPassword(reset, "Owner-is-back-1")).status).toBe(400);
    expect(await undo(secret)).toMatchObject({ status: 400, json: invalid });

    expect((await listEmailsTo(app, user.email))[0]?.text).toContain(`/reset-password/?t=${secret}`);
    expect((await listEmailsTo(app, email))[0]?.text).toContain("This address can no longer sign in.");
    expect((await resetPassword(secret, "Owner-is-back-1")).status).toBe(200);
    expect((await resetPassword(secret, "Owner-is-back-1")).status).toBe(400);
    expect((await signIn(user.email, "Owner-is-back-1")).status).toBe(200);
    expect((await signIn(user.email)).json).toHaveProperty("invalid_grant");
  });

  test("stops a change that isn't confirmed yet, over GraphQL", async () => {
    const { user, token } = await createSignedIn(app);
    const email = freshEmail();
    await requestChange(token, email);
    const secret = await findUndoSecret(user.email, /^A new email address was requested/);
    const { data } = await app.graphql("undoEmailChange { email }", { token: secret });
    expect(data).toEqual({ undoEmailChange: { email: user.email } });
    expect((await confirm(await findEmailedSecret(app, email))).status).toBe(400);
    expect(await loadUser(user)).toMatchObject({ email: user.email, pendingEmail: null });
    expect(await isSignedIn(token)).toBe(false);
  });

  test("works for 7 days", async () => {
    const { user, secret } = await setUpChanged();
    app.clock.setOffset(7 * DAY + 1_000);
    expect((await undo(secret)).status).toBe(400);
    app.clock.setOffset(7 * DAY - 60_000);
    expect((await undo(secret)).status).toBe(200);
    app.clock.setOffset(0);
    expect(await loadUser(user)).toMatchObject({ email: user.email });
  });

  test("restores the first address after several changes, and later links stop working", async () => {
    const { user, token, email, secret } = await setUpChanged();
    const third = freshEmail();
    await confirmChange(token, third);
    const second = await findUndoSecret(email, /has changed$/);
    expect([(await undo(secret)).status, (await undo(second)).status]).toEqual([200, 400]);
    expect(await loadUser(user)).toMatchObject({ email: user.email });
  });

  test("restores the second address first and the first address afterwards", async () => {
    const { user, token, email, secret } = await setUpChanged();
    await confirmChange(token, freshEmail());
    expect((await undo(await findUndoSecret(email, /has changed$/))).status).toBe(200);
    expect(await loadUser(user)).toMatchObject({ email });
    expect((await undo(secret)).status).toBe(200);
    expect(await loadUser(user)).toMatchObject({ email: user.email });
  });

  test("gives a temporary address no link once the user has returned to the first one", async () => {
    const { user, token, email, secret } = await setUpChanged();
    await confirmChange(token, user.email);
    const last = (await listEmailsTo(app, email)).find(({ subject }) => subject.endsWith("has changed"));
    expect(last?.text).not.toContain("/undo-email-change/");
    const requested = await findUndoSecret(email, /^A new email address was requested/);
    for (const one of [secret, requested]) expect((await undo(one)).status).toBe(400);
    expect(await loadUser(user)).toMatchObject({ email: user.email });
  });

  test("also undoes a change by staff", async () => {
    const { user } = await createSignedIn(app);
    const email = freshEmail();
    expect((await changeByStaff(user, email)).errors).toBeUndefined();
    expect((await undo(await findUndoSecret(user.email, /has changed$/))).status).toBe(200);
    expect(await loadUser(user)).toMatchObject({ email: user.email, signInEmail: user.email });
  });

  test.each([
    ["was never confirmed", { emailConfirmedAt: null, firstSignedInAt: new Date() }],
    ["staff invited and nobody has signed in with", {}],
  ])("isn't offered for an address that %s, because it may be a stranger's", async (_state, changes) => {
    const user = await createUser(app, changes);
    await changeByStaff(user, freshEmail());
    const [newest] = await listEmailsTo(app, user.email);
    expect(newest?.subject).toMatch(/has changed$/);
    expect(newest?.text).not.toContain("?t=");
  });

  test("does nothing for an archived account or an unknown link", async () => {
    const { user, email, secret } = await setUpChanged();
    await app.context().em.nativeUpdate(User, user.id, { archivedAt: app.clock.now() });
    for (const one of [secret, "", "unknown"]) expect((await undo(one)).status).toBe(400);
    expect(await loadUser(user)).toMatchObject({ email });
  });
});

async function changeByStaff(user: User, email: string) {
  const memberType = toCode(memberTypes, user.memberType);
  const input = { ...buildProfile({ email }), memberType, annualDeactivationLimit: 3 };
  return app.graphql("updateUser { id }", { id: user.id, input }, await signInAs(app, await createAdmin(app)));
}

describe("replaced address", () => {
  test("is reserved for 7 days, and registering it looks like any other registration", async () => {
    const { user, secret } = await setUpChanged();
    const before = (await listEmailsTo(app, user.email)).length;
    const free = await register(buildRegistration());
    expect((await register(buildRegistration({ email: user.email }))).status).toBe(free.status);
    const [newest, ...older] = await listEmailsTo(app, user.email);
    expect(older).toHaveLength(before);
    expect(newest?.text).not.toContain("?t=");
    expect(newest?.text).toContain("Your account has a new address, so sign in with that one.");
    expect((await undo(secret)).status).toBe(200);
    expect((await signIn(user.email)).status).toBe(200);
  });

  test("can't be given to another account by its user or by staff", async () => {
    const { user } = await setUpChanged();
    const other = await createUser(app);
    await requestChange(await signInAs(app, other), user.email);
    const [newest] = await listEmailsTo(app, user.email);
    expect(newest?.text).not.toContain("?t=");
    expect(newest?.text).toContain("Your account has a new address, so sign in with that one.");
    const { errors } = await changeByStaff(other, user.email);
    const email = ["Another account had this email address and can take it back for 7 days."];
    expect(errors?.[0]?.extensions.fields).toEqual({ email });
    await expect(createUser(app, { email: user.email })).rejects.toThrow("reserved");
  });

  test("is released after 7 days", async () => {
    const { user, secret } = await setUpChanged();
    await releaseOldAddresses.run(app.context());
    const expire = "update email_changes set expires_at = now() - interval '1 second' where user_id = $1";
    await app.services.pool.query(expire, [user.id]);
    await releaseOldAddresses.run(app.context());
    expect((await undo(secret)).status).toBe(400);
    await register(buildRegistration({ email: user.email }));
    expect((await listEmailsTo(app, user.email))[0]?.text).toContain("/confirm-email?t=");
  });
});
