import { describe, expect, test } from "vitest";
import { Session } from "#api/access/sessions/session.entity.ts";
import { User } from "#api/people/users/user.entity.ts";
import { DAY } from "#api/platform/clock.ts";
import { createContext } from "#api/platform/context.ts";
import { openSession } from "#api/access/sessions/open-session.ts";
import {
  createAdmin,
  createCorporateUser,
  createUser,
  buildRegistration,
  testPassword,
} from "#tests/factories/user.ts";
import { listEmailsTo, findEmailedSecret } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();

const chrome = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126 Safari/537";
const newerChrome = chrome.replace("126", "139");
const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0";

const signIn = async (user: Pick<User, "email">, userAgent = chrome): Promise<string> =>
  (await signInFully(user, userAgent)).access_token;

async function signInFully(user: Pick<User, "email">, userAgent = chrome) {
  const { json } = await app.rest("POST", "/v1/core/auth/token", {
    body: { UserName: user.email, Password: testPassword, ClientId: "portal", GrantType: "password" },
    headers: { "user-agent": userAgent },
  });
  return json as { access_token: string; refresh_token: string };
}

/** Opens a session from another IP address. */
async function openFrom(user: User, ip: string, userAgent = chrome): Promise<void> {
  const context = createContext(app.services, { origin: { ip, userAgent } });
  await context.em.transactional(async (em) =>
    openSession(context, em, await em.findOneOrFail(User, user.id), "portal"),
  );
}

const list = async (token: string) =>
  (await app.graphql("{ me { sessions { id browser ip signedInAt lastUsedAt isCurrent } } }", {}, token)).data.me
    .sessions as { id: string; browser: string; ip: string; isCurrent: boolean }[];
const end = (id: string, token: string) => app.graphql("mutation ($id: ID!) { endSession(id: $id) }", { id }, token);
const isSignedIn = async (token: string) => (await app.graphql("{ me { id } }", {}, token)).errors === undefined;
const newSignIns = async (user: Pick<User, "email">) =>
  (await listEmailsTo(app, user.email)).filter((mail) => mail.subject.startsWith("New sign-in"));

describe("listing and ending sessions", () => {
  test.each([
    ["regular customers", createUser],
    ["corporate customers", createCorporateUser],
    ["admins", createAdmin],
  ] as const)("shows %s readable descriptions of their live sessions, the current one first", async (_, create) => {
    const user = await create(app);
    const here = await signIn(user, firefox);
    await signIn(user, chrome);
    const sessions = await list(here);
    expect(sessions).toMatchObject([
      { browser: "Firefox on Linux", ip: "127.0.0.1", isCurrent: true },
      { browser: "Chrome on Windows", ip: "127.0.0.1", isCurrent: false },
    ]);
  });

  test("leaves out ended, expired and other users' sessions", async () => {
    const user = await createUser(app);
    const ended = await signIn(user);
    await app.graphql("mutation { signOut }", {}, ended);
    await signIn(await createUser(app));
    expect(await list(await signIn(user))).toHaveLength(1);
  });

  test("shows an admin another user's sessions but not the admin's own", async () => {
    const admin = await signIn(await createAdmin(app));
    const user = await createUser(app);
    await signIn(user, firefox);
    const { data } = await app.graphql(
      "query ($id: ID!) { user(id: $id) { sessions { browser ip isCurrent } } }",
      { id: user.id },
      admin,
    );
    expect(data.user.sessions).toEqual([{ browser: "Firefox on Linux", ip: "127.0.0.1", isCurrent: false }]);
  });

  test("ends a session and its refresh token on the next request", async () => {
    const user = await createUser(app);
    const here = await signIn(user);
    const { access_token: there, refresh_token: RefreshToken } = await signInFully(user, firefox);
    const other = (await list(here)).find((session) => !session.isCurrent);
    expect((await end(other?.id ?? "", here)).data).toEqual({ endSession: true });
    expect(await isSignedIn(there)).toBe(false);
    const refreshed = await app.rest("POST", "/v1/core/auth/token", {
      body: { RefreshToken, ClientId: "portal", GrantType: "refresh_token" },
    });
    expect(refreshed.json).toHaveProperty("invalid_refreshtoken");
    expect(await isSignedIn(here)).toBe(true);
    expect(await list(here)).toHaveLength(1);
  });

  test("ends all sessions except the current one", async () => {
    const user = await createUser(app);
    const others = [await signIn(user), await signIn(user, firefox)];
    const stranger = await signIn(await createUser(app));
    const here = await signIn(user);
    expect((await app.graphql("mutation { endOtherSessions }", {}, here)).data).toEqual({ endOtherSessions: 2 });
    for (const token of others) expect(await isSignedIn(token)).toBe(false);
    expect(await isSignedIn(here)).toBe(true);
    expect(await isSignedIn(stranger)).toBe(true);
    expect((await app.graphql("mutation { endOtherSessions }", {}, here)).data).toEqual({ endOtherSessions: 0 });
  });

  test("returns the same response for other users', ended, unknown and malformed ids", async () => {
    const owner = await createUser(app);
    const ownerToken = await signIn(owner);
    const [foreign] = await list(ownerToken);
    const user = await createUser(app);
    const here = await signIn(user);
    await signIn(user, firefox);
    const mine = (await list(here)).find((session) => !session.isCurrent)?.id ?? "";
    await end(mine, here);
    const answers = [];
    for (const id of [foreign?.id ?? "", mine, "00000000-0000-4000-8000-000000000000", "x' or 1=1", "", "\u0000"])
      answers.push((await end(id, here)).errors);
    expect(answers[0]?.[0]?.extensions.code).toBe("NOT_FOUND");
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(await isSignedIn(ownerToken)).toBe(true);
  });
});

describe("sign-in from a new device", () => {
  test("sends an email with the time, browser and IP address, except for the first sign-in", async () => {
    const { email, ...rest } = buildRegistration();
    await app.rest("POST", "/v1/core/accounts", { body: { email, ...rest } });
    const confirmationToken = await findEmailedSecret(app, email);
    await app.rest("POST", "/v1/core/accounts/confirm-email", {
      body: { confirmationToken },
      headers: { "user-agent": chrome },
    });
    expect(await newSignIns({ email })).toEqual([]);
    await signIn({ email }, newerChrome);
    expect(await newSignIns({ email })).toEqual([]);
    await signIn({ email }, firefox);
    const [mail, ...more] = await newSignIns({ email });
    expect(more).toEqual([]);
    expect(mail?.text).toMatch(/\d{1,2} \w{3} \d{4}, \d{1,2}:\d\d [ap]m AEST/);
    expect(mail?.text).toContain("Firefox on Linux");
    expect(mail?.text).toContain("127.0.0.1");
    expect(mail?.text).toContain("change your password immediately");
    expect(mail?.text).toContain("http://portal.test/sessions/");
    await signIn({ email }, firefox);
    expect(await newSignIns({ email })).toHaveLength(1);
  });

  test("includes a sign-in from another network, but not from another address on the same network", async () => {
    const user = await createUser(app);
    await openFrom(user, "203.0.113.7");
    await openFrom(user, "203.0.113.99");
    expect(await newSignIns(user)).toEqual([]);
    await openFrom(user, "198.51.100.1");
    const [mail] = await newSignIns(user);
    expect(mail?.text).toContain("198.51.100.1");
  });

  test("sends no email after a wrong password", async () => {
    const user = await createUser(app);
    await signIn(user);
    const { status } = await app.rest("POST", "/v1/core/auth/token", {
      body: { UserName: user.email, Password: "Wrong-pass-1", ClientId: "portal", GrantType: "password" },
      headers: { "user-agent": firefox },
    });
    expect(status).toBe(400);
    expect(await newSignIns(user)).toEqual([]);
  });

  test("recognises a device for 90 days after its last use and then deletes its sessions", async () => {
    const user = await createUser(app);
    await signIn(user);
    try {
      app.clock.setOffset(89 * DAY);
      await app.services.jobs.runSweeps();
      await signIn(user);
      expect(await newSignIns(user)).toEqual([]);
      app.clock.setOffset(180 * DAY);
      await app.services.jobs.runSweeps();
      await signIn(user);
      expect(await newSignIns(user)).toHaveLength(1);
      app.clock.setOffset(302 * DAY);
      await app.services.jobs.runSweeps();
      expect(await app.services.orm.em.fork().count(Session, { user: user.id })).toBe(0);
    } finally {
      app.clock.setOffset(0);
    }
  });
});
