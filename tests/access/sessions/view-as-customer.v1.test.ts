import { describe, expect, test, afterEach } from "vitest";
import { MemberType } from "#schema/user.ts";
import { VIEW_ONLY } from "#schema/error-codes.ts";
import { permissions } from "#api/app/permissions.ts";
import { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import { Session } from "#api/access/sessions/session.entity.ts";
import { recordEndedViews } from "#api/access/sessions/view-as-customer.ts";
import { User } from "#api/people/users/user.entity.ts";
import { MINUTE } from "#api/platform/clock.ts";
import { isClosedToViewers, getPermission } from "#api/platform/graphql/permissions.ts";
import { runSweep } from "#api/platform/jobs/sweeps.ts";
import { getRouteNames } from "#api/platform/http/define-route.ts";
import { routes } from "#api/v1/routes.ts";
import { createAdmin, createCorporateUser, createUser, signInAs, createSignedIn } from "#tests/factories/user.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { createAccountCalls, getErrorCode } from "#tests/factories/account.ts";

const app = await startTestApp();
afterEach(() => app.clock.setOffset(0));
const { isSignedIn, signIn } = createAccountCalls(app);
const nobody = "00000000-0000-4000-8000-000000000000";

const startView = (userId: string, token?: string) =>
  app.graphql("viewAsCustomer { accessToken expiresIn }", { userId }, token);
const open = async (userId: string, token: string) =>
  (await startView(userId, token)).data.viewAsCustomer.accessToken as string;
const loadMe = (token: string) => app.graphql("me { id memberType }", {}, token);
const readClaims = (token: string) =>
  JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as Record<string, unknown>;
const loadAuditEntries = (userId: string) =>
  app.services.orm.em.fork().find(AuditEntry, { userId }, { orderBy: { at: "asc", action: "desc" } });
const change = async (user: User, values: Partial<User>) => {
  await app.services.orm.em.fork().nativeUpdate(User, { id: user.id }, values);
};

describe("view as a customer", () => {
  test("shows an admin what a customer sees, for 15 minutes without a refresh", async () => {
    const admin = await createAdmin(app);
    const customer = await createCorporateUser(app);
    const { data } = await startView(customer.id, await signInAs(app, admin));
    expect(Object.keys(data.viewAsCustomer)).toEqual(["accessToken", "expiresIn"]);
    expect(data.viewAsCustomer.expiresIn).toBe(900);
    const token = data.viewAsCustomer.accessToken as string;
    const { id, rol, viewer, sid, iat, exp } = readClaims(token);
    expect({ id, rol, viewer }).toEqual({ id: customer.id, rol: "corporate", viewer: admin.id });
    expect(Number(exp) - Number(iat)).toBe(900);
    expect((await loadMe(token)).data.me).toEqual({ id: customer.id, memberType: "CORPORATE" });
    // The session ends after 15 minutes, whatever its token says.
    const session = await app.services.orm.em.fork().findOneOrFail(Session, sid as string);
    expect(session.expiresAt.getTime() - session.createdAt.getTime()).toBe(15 * MINUTE);
    expect((await app.rest("GET", `/v1/core/accounts/${customer.id}/profile`, { token })).status).toBe(200);
    // Admin operations stay closed, because the caller is the customer.
    expect(getErrorCode(await app.graphql("user { id }", { id: customer.id }, token))).toBe("FORBIDDEN");
  });

  test("is invisible to the customer: no email, no listed session, no known device", async () => {
    const { user: customer, token: own } = await createSignedIn(app);
    const row = async () => (await app.services.pool.query("select * from users where id = $1", [customer.id])).rows;
    const before = await row();
    const view = await open(customer.id, await signInAs(app, await createAdmin(app)));
    expect(await listEmailsTo(app, customer.email)).toEqual([]);
    for (const token of [own, view]) {
      const { data } = await app.graphql("me { sessions { id isCurrent } }", {}, token);
      expect(data.me.sessions).toHaveLength(1);
      expect(data.me.sessions[0].isCurrent).toBe(token === own);
    }
    const copy = await app.rest("GET", "/v1/core/accounts/my-data", { token: own });
    expect(copy.status).toBe(200);
    expect(copy.json.sessions).toHaveLength(1);
    expect(getErrorCode(await app.graphql("endSession { id }", { id: readClaims(view).sid }, own))).toBe("NOT_FOUND");
    expect((await app.graphql("endOtherSessions { count }", {}, own)).data).toEqual({ endOtherSessions: { count: 0 } });
    // Ending the other sessions also ends the customer's known devices.
    expect(await row()).toEqual([{ ...before[0], known_device_epoch: 1 }]);
  });

  test("does not make the admin's browser a known device for the customer", async () => {
    const customer = await createUser(app);
    await signInAs(app, customer);
    const browser = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0" };
    const admin = await signInAs(app, await createAdmin(app));
    await app.rest("POST", "/graphql", {
      body: { query: `mutation { viewAsCustomer(userId: "${customer.id}") { expiresIn } }` },
      token: admin,
      headers: browser,
    });
    await signIn(customer.email, undefined, undefined, browser);
    const emails = (await listEmailsTo(app, customer.email)).filter(({ subject }) => subject.startsWith("New sign-in"));
    expect(emails).toHaveLength(1);
  });

  test("records its start and end in the audit log under the admin's name", async () => {
    const admin = await createAdmin(app);
    const customer = await createUser(app);
    const token = await open(customer.id, await signInAs(app, admin));
    expect((await app.graphql("signOut { id }", {}, token)).data).toEqual({ signOut: { id: readClaims(token).sid } });
    expect(await isSignedIn(token)).toBe(false);
    const entries = await loadAuditEntries(customer.id);
    expect(entries.map(({ action, actorId }) => [action, actorId])).toEqual([
      ["view-as-customer", admin.id],
      ["end-view", admin.id],
    ]);
    expect(entries[1]?.after).toEqual({ ended: "By the admin" });
    expect(JSON.stringify(entries)).not.toContain(token);
  });

  test("expires and records its end once in the audit log", async () => {
    const admin = await createAdmin(app);
    const customer = await createUser(app);
    const token = await open(customer.id, await signInAs(app, admin));
    app.clock.setOffset(14 * MINUTE);
    expect(await isSignedIn(token)).toBe(true);
    app.clock.setOffset(15 * MINUTE);
    expect(await isSignedIn(token)).toBe(false);
    await runSweep(app.services, recordEndedViews);
    await runSweep(app.services, recordEndedViews);
    const ends = (await loadAuditEntries(customer.id)).filter(({ action }) => action === "end-view");
    expect(ends.map(({ actorId, after }) => [actorId, after])).toEqual([[admin.id, { ended: "By time" }]]);
  });
});

test("access to views: says why admins and archived customers can't be viewed", async () => {
  const admin = await signInAs(app, await createAdmin(app));
  const closed = [await createAdmin(app), await createUser(app, { archivedAt: app.clock.now() })];
  for (const { id } of closed) {
    expect((await startView(id, admin)).errors?.[0]).toMatchObject({
      message: "You can view the portal only as a customer with an active account.",
      extensions: { code: "CONFLICT" },
    });
    expect(await loadAuditEntries(id)).toEqual([]);
  }
  expect((await startView(nobody, admin)).errors?.[0]?.extensions.code).toBe("NOT_FOUND");
});

describe("a view ends immediately", () => {
  let admin: User;
  let adminToken: string;
  let customer: User;
  let view: string;
  const begin = async () => {
    admin = await createAdmin(app);
    adminToken = await signInAs(app, admin);
    customer = await createUser(app);
    view = await open(customer.id, adminToken);
    expect(await isSignedIn(view)).toBe(true);
  };

  test("when the admin or the customer is archived or changes role, or another admin signs the admin out", async () => {
    const endings: Record<string, () => Promise<unknown>> = {
      "the admin is demoted": () => change(admin, { memberType: MemberType.Regular }),
      "the admin loses the role support": () => change(admin, { staffRoles: ["finance"] }),
      "the admin is archived": () => change(admin, { archivedAt: app.clock.now() }),
      "the customer is archived": () => change(customer, { archivedAt: app.clock.now() }),
      "the customer becomes an admin": () => change(customer, { memberType: MemberType.Admin }),
      "the admin is signed out": async () => {
        const other = await signInAs(app, await createAdmin(app));
        return app.graphql("endSessionsOf { count }", { userId: admin.id }, other);
      },
    };
    for (const [name, happen] of Object.entries(endings)) {
      await begin();
      await happen();
      expect(await isSignedIn(view), name).toBe(false);
    }
  });

  test("when the admin's own session ends, with an audit entry, but not with their other sessions", async () => {
    await begin();
    const elsewhere = await signInAs(app, admin);
    await app.graphql("signOut { id }", {}, elsewhere);
    expect(await isSignedIn(view)).toBe(true);
    const again = await signInAs(app, admin);
    await app.graphql("signOut { id }", {}, adminToken);
    expect([await isSignedIn(view), await isSignedIn(again)]).toEqual([false, true]);
    await runSweep(app.services, recordEndedViews);
    expect((await loadAuditEntries(customer.id)).at(-1)?.after).toEqual({ ended: "With the admin's own session" });
  });
});

describe("a view is read-only", () => {
  // Maps every operation and route to the names that its permission may be listed under.
  const names = new Map<string, readonly string[]>([
    ...Object.keys(permissions.operations).map((name) => [name, [name]] as const),
    ...routes.map((route) => [`${route.method} ${route.url}`, getRouteNames(route)] as const),
  ]);
  const rows = [...names.keys()];
  const findPermission = (name: string) => getPermission(permissions, names.get(name)?.at(-1) ?? "");
  const isClosed = (name: string) => isClosedToViewers(findPermission(name), names.get(name) ?? []);

  test("rejects every mutation except ending the view, and every route except reads", () => {
    const openRows = rows.filter((row) => /^(Mutation\.|[A-Z]+ )/.test(row) && !isClosed(row));
    expect(openRows.filter((row) => row.startsWith("Mutation."))).toEqual(["Mutation.signOut"]);
    for (const row of openRows.filter((one) => one.includes(" "))) expect(row).toMatch(/^GET /);
    for (const row of ["GET /v1/subscriptions/create-trial", "GET /v1/core/accounts/my-data"])
      expect(isClosed(row)).toBe(true);
    expect(isClosed("GET /v1/core/accounts/resend-confirmation-email/:handle")).toBe(true);
  });

  test("rejects another view, a mutation in a fragment or under an alias, and a route before its body is read", async () => {
    const customer = await createUser(app);
    const token = await open(customer.id, await signInAs(app, await createAdmin(app)));
    expect((await startView(customer.id, token)).errors?.[0]).toMatchObject({
      message: VIEW_ONLY,
      extensions: { code: "FORBIDDEN", reason: "VIEW_ONLY" },
    });
    for (const query of [
      "mutation { signOut: endOtherSessions { count } }",
      "mutation { ...f } fragment f on Mutation { endOtherSessions { count } }",
      "mutation { ... { endOtherSessions { count } } }",
    ])
      expect((await app.graphql(query, {}, token)).errors?.[0]?.message).toBe(VIEW_ONLY);
    const { status, json } = await app.rest("POST", "/v1/licence/offline", { token, body: "{ not even JSON" });
    expect([status, json.Message]).toEqual([403, VIEW_ONLY]);
    expect(await isSignedIn(token)).toBe(true);
  });
});
