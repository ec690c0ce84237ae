import { describe, expect, test, afterEach } from "vitest";
import { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import { EmailToken } from "#api/access/registration/email-token.entity.ts";
import { openSession } from "#api/access/sessions/open-session.ts";
import { Session } from "#api/access/sessions/session.entity.ts";
import { createSignInChallenge } from "#api/access/two-step/challenges.ts";
import { TwoStepChallenge } from "#api/access/two-step/two-step-methods.entity.ts";
import { User } from "#api/people/users/user.entity.ts";
import { DAY } from "#api/platform/clock.ts";
import { runSweep } from "#api/platform/jobs/sweeps.ts";
import { createContext } from "#api/platform/context.ts";
import { buildProfile, createAccountCalls, freshEmail, getErrorCode } from "#tests/factories/account.ts";
import { createToken } from "#tests/factories/personal-access-token.ts";
import { createAdmin, createUser, buildRegistration, signInAs } from "#tests/factories/user.ts";
import { findPurge } from "#tests/support/find-purge.ts";
import { listEmailsTo, findEmailedSecret } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
afterEach(() => app.clock.setOffset(0));
const calls = createAccountCalls(app);
const { isSignedIn } = calls;
const em = () => app.services.orm.em.fork();

const chrome = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126 Safari/537";
const newerChrome = chrome.replace("126", "139");
const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0";

type Owner = Pick<User, "email">;
const signInFully = async ({ email }: Owner, userAgent = chrome) =>
  (await calls.signIn(email, undefined, undefined, { "user-agent": userAgent })).json as {
    access_token: string;
    refresh_token: string;
  };
const signIn = async (user: Owner, userAgent = chrome) => (await signInFully(user, userAgent)).access_token;

async function openFrom(user: User, ip: string): Promise<void> {
  const context = createContext(app.services, { origin: { ip, userAgent: chrome } });
  await context.em.transactional(async (em) =>
    openSession(context, em, await em.findOneOrFail(User, user.id), "portal"),
  );
}

const list = async (token: string) =>
  (await app.graphql("me { sessions { id browser ip isCurrent } }", {}, token)).data.me.sessions as {
    id: string;
    browser: string;
    ip: string;
    isCurrent: boolean;
  }[];
const end = (id: string, token: string) => app.graphql("endSession { id }", { id }, token);
const endOthers = async (token: string) =>
  (await app.graphql("endOtherSessions { count }", {}, token)).data.endOtherSessions.count;
const newSignIns = async ({ email }: Owner) =>
  (await listEmailsTo(app, email)).filter((mail) => mail.subject.startsWith("New sign-in"));

describe("listing and ending sessions", () => {
  test("shows readable descriptions of the user's live sessions, the current one first", async () => {
    const user = await createUser(app);
    const ended = await signIn(user);
    await app.graphql("signOut { id }", {}, ended);
    await signIn(await createUser(app));
    const here = await signIn(user, firefox);
    await signIn(user, chrome);
    expect(await list(here)).toMatchObject([
      { browser: "Firefox on Linux", ip: "127.0.0.1", isCurrent: true },
      { browser: "Chrome on Windows", ip: "127.0.0.1", isCurrent: false },
    ]);
    // Refresh tokens that weren't used for 14 days have expired.
    app.clock.setOffset(14 * DAY);
    expect(await list(await signIn(user))).toHaveLength(1);
  });

  test("ends a session and its refresh token on the next request", async () => {
    const user = await createUser(app);
    const here = await signIn(user);
    const there = await signInFully(user, firefox);
    const other = (await list(here)).find((session) => !session.isCurrent);
    const stranger = await signIn(await createUser(app));
    expect(getErrorCode(await end(other?.id ?? "", stranger))).toBe("NOT_FOUND");
    expect((await end(other?.id ?? "", here)).data).toEqual({ endSession: { id: other?.id } });
    expect(await isSignedIn(there.access_token)).toBe(false);
    expect((await calls.refresh(there.refresh_token)).json).toHaveProperty("invalid_refreshtoken");
    expect(await isSignedIn(here)).toBe(true);
    expect(await list(here)).toHaveLength(1);
  });

  test("ends all sessions except the current one, with tokens and a pending email change", async () => {
    const user = await createUser(app);
    const others = [await signIn(user), await signIn(user, firefox), (await createToken(app, user)).secret];
    const stranger = await signIn(await createUser(app));
    const here = await signIn(user);
    await calls.updateProfile(here, buildProfile());
    expect(await endOthers(here)).toBe(2);
    for (const token of others) expect(await isSignedIn(token)).toBe(false);
    for (const token of [here, stranger]) expect(await isSignedIn(token)).toBe(true);
    expect((await calls.loadMe(here)).data.me.pendingEmail).toBeNull();
    // The link in the email about the other browser stays.
    expect(await em().count(EmailToken, { user: user.id, spentAt: null, purpose: { $ne: "not-me" } })).toBe(0);
    expect(await endOthers(here)).toBe(0);
  });
});

describe("an admin who signs a user out everywhere", async () => {
  const admin = await createAdmin(app);
  const adminToken = await signInAs(app, admin);
  const endAll = (userId: string, token = adminToken) =>
    app.graphql("endSessionsOf { count user { id } }", { userId }, token);
  const loadAuditEntries = (user: User) => em().find(AuditEntry, { userId: user.id });

  test("sees the user's sessions and ends them, which records one audit entry", async () => {
    const user = await createUser(app);
    const tokens = [await signIn(user, firefox), await signInAs(app, user)];
    const stranger = await signInAs(app, await createUser(app));
    const { data } = await app.graphql("user { sessions { browser ip isCurrent } }", { id: user.id }, adminToken);
    expect(data.user.sessions).toContainEqual({ browser: "Firefox on Linux", ip: "127.0.0.1", isCurrent: false });
    expect(data.user.sessions).toHaveLength(2);
    expect((await endAll(user.id)).data).toEqual({ endSessionsOf: { count: 2, user: { id: user.id } } });
    for (const token of tokens) expect(await isSignedIn(token)).toBe(false);
    for (const token of [stranger, adminToken]) expect(await isSignedIn(token)).toBe(true);
    expect((await endAll(user.id)).data).toEqual({ endSessionsOf: { count: 0, user: { id: user.id } } });
    expect(await loadAuditEntries(user)).toMatchObject([
      { action: "end-sessions", actorId: admin.id, after: { sessionsEnded: 2 } },
    ]);
  });

  test("also revokes tokens and cancels unfinished sign-ins, a pending email change and reset links", async () => {
    const user = await createUser(app);
    const { secret } = await createToken(app, user);
    const pending = freshEmail();
    await calls.updateProfile(await signInAs(app, user), buildProfile({ email: pending }));
    await calls.requestReset(user.email);
    const context = app.context();
    createSignInChallenge(context, context.em, await context.em.findOneOrFail(User, user.id), "portal");
    await context.em.flush();
    const countOpen = async () => ({
      pendingEmail: (await calls.loadUser(user)).pendingEmail,
      unused: await em().count(EmailToken, { user: user.id, spentAt: null }),
      signIns: await em().count(TwoStepChallenge, { user: user.id }),
    });
    expect(await countOpen()).toEqual({ pendingEmail: pending, unused: 2, signIns: 1 });
    expect((await endAll(user.id)).data).toEqual({ endSessionsOf: { count: 1, user: { id: user.id } } });
    expect(await countOpen()).toEqual({ pendingEmail: null, unused: 0, signIns: 0 });
    expect(await isSignedIn(secret)).toBe(false);
    expect(await loadAuditEntries(user)).toMatchObject([
      { action: "end-sessions", after: { sessionsEnded: 1, tokensRevoked: 1, linksCancelled: true } },
    ]);
  });

  test("keeps the current session on their own account", async () => {
    const there = await signInAs(app, admin);
    expect((await endAll(admin.id)).data).toEqual({ endSessionsOf: { count: 1, user: { id: admin.id } } });
    expect([await isSignedIn(adminToken), await isSignedIn(there)]).toEqual([true, false]);
  });

  test("gets an error for deleted users and unknown ids without an audit entry", async () => {
    for (const id of ["00000000-0000-4000-8000-000000000000", "x"])
      expect(getErrorCode(await endAll(id))).toBe("NOT_FOUND");
    const deleted = await createUser(app, { deletedAt: app.clock.now() });
    expect(getErrorCode(await endAll(deleted.id))).toBe("CONFLICT");
    expect(await loadAuditEntries(deleted)).toEqual([]);
  });
});

describe("sign-in from a new device", () => {
  test("sends an email with the time, browser and IP address, except for the first sign-in", async () => {
    const body = buildRegistration();
    const { email } = body;
    await calls.register(body);
    await app.rest("POST", "/v1/core/accounts/confirm-email", {
      body: { confirmationToken: await findEmailedSecret(app, email) },
      headers: { "user-agent": chrome },
    });
    expect(await newSignIns({ email })).toEqual([]);
    await signIn({ email }, newerChrome);
    expect(await newSignIns({ email })).toEqual([]);
    await signIn({ email }, firefox);
    const [mail, ...more] = await newSignIns({ email });
    expect(more).toEqual([]);
    expect(mail?.text).toMatch(/\d{1,2} \w{3} \d{4}, \d{1,2}:\d\d [ap]m AEST/);
    for (const part of [
      "Firefox on Linux",
      "127.0.0.1",
      "secure your account",
      "portal.test/not-me/?t=",
      "portal.test/security/",
    ])
      expect(mail?.text).toContain(part);
    await signIn({ email }, firefox);
    expect(await newSignIns({ email })).toHaveLength(1);
  });

  test("treats another network as a new device, but not another address on the same network", async () => {
    const user = await createUser(app);
    await openFrom(user, "203.0.113.7");
    await openFrom(user, "203.0.113.99");
    expect(await newSignIns(user)).toEqual([]);
    await openFrom(user, "198.51.100.1");
    expect((await newSignIns(user))[0]?.text).toContain("198.51.100.1");
  });

  test("sends no email after a wrong password", async () => {
    const user = await createUser(app);
    await signIn(user);
    expect((await calls.signIn(user.email, "Wrong-pass-1", "portal", { "user-agent": firefox })).status).toBe(400);
    expect(await newSignIns(user)).toEqual([]);
  });

  test("recognises a device for 90 days after its last use and then deletes its sessions", async () => {
    const user = await createUser(app);
    await signIn(user);
    app.clock.setOffset(89 * DAY);
    await runSweep(app.services, findPurge("sessions"));
    await signIn(user);
    expect(await newSignIns(user)).toEqual([]);
    app.clock.setOffset(180 * DAY);
    await runSweep(app.services, findPurge("sessions"));
    await signIn(user);
    expect(await newSignIns(user)).toHaveLength(1);
    app.clock.setOffset(302 * DAY);
    await runSweep(app.services, findPurge("sessions"));
    expect(await em().count(Session, { user: user.id })).toBe(0);
  });
});
