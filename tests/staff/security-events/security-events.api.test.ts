import { describe, expect, test } from "vitest";
import { securityEventTypes } from "#schema/security-event.ts";
import { createAdmin, createUser, signInAs, testPassword } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { findLabel } from "#schema/closed-list.ts";

const app = await startTestApp({ rateLimits: true });
const admin = await createAdmin(app, { firstName: "Grace", lastName: "Hopper" });
const token = await signInAs(app, admin);

const query = `query ($first: Int, $types: [SecurityEventType!], $after: String, $filter: SecurityEventFilter) {
  securityEvents(first: $first, types: $types, after: $after, filter: $filter) {
    rows { id at type what userId actorId address detail count facts { label value } user { lastName } } endCursor } }`;

interface Row {
  id: string;
  type: string;
  what: string;
  userId: string | null;
  actorId: string | null;
  address: string;
  detail: string;
  count: number;
  facts: { label: string; value: string }[];
}

async function listEvents(variables: object): Promise<{ rows: Row[]; endCursor: string | null }> {
  const { data, errors } = await app.graphql(query, { ...variables }, token);
  expect(errors).toBe(undefined);
  return data.securityEvents;
}

const signIn = (email: string, password: string) =>
  app.graphql(`mutation ($input: SignInInput!) { signIn(input: $input) { message session { refreshToken } } }`, {
    input: { email, password },
  });

describe("securityEvents", () => {
  test("lists sign-ins, failures and the lock after five wrong passwords, without the password or the email", async () => {
    const user = await createUser(app);
    await signIn(user.email, testPassword);
    for (let index = 0; index < 6; index++) await signIn(user.email, "Wrong-password-1");
    await signIn("nobody@example.com", "Wrong-password-1");
    const { rows } = await listEvents({ filter: { userId: user.id } });
    expect(rows.map(({ type }) => type)).toEqual([
      "SIGN_IN_LOCKED",
      ...Array(5).fill("SIGN_IN_FAILED"),
      "SIGN_IN_SUCCEEDED",
    ]);
    expect(rows[0]).toMatchObject({
      what: findLabel(securityEventTypes, "sign-in.locked"),
      address: expect.stringMatching(/127\.0\.0\.1|::1/),
      detail: expect.stringContaining('"limit":"email"'),
      user: { lastName: user.lastName },
    });
    expect(rows[1]?.facts).toContainEqual({ label: "Reason", value: "Wrong password" });
    const all = JSON.stringify(await listEvents({}));
    expect(all).not.toContain("Wrong-password-1");
    expect(all).not.toContain("nobody@example.com");
  });

  test("lists refused refresh tokens, and reuse after the grace period", async () => {
    const user = await createUser(app);
    const { data } = await signIn(user.email, testPassword);
    const refresh = (refreshToken: string) =>
      app.graphql("mutation ($t: String!) { refreshSession(refreshToken: $t) { accessToken } }", { t: refreshToken });
    const first = data.signIn.session.refreshToken as string;
    await refresh(first);
    await app.services.pool.query("update refresh_tokens set rotated_at = rotated_at - interval '1 minute'");
    await refresh(first);
    await refresh("unknown");
    expect((await listEvents({ types: ["REFRESH_REUSED"] })).rows).toMatchObject([{ userId: user.id }]);
    expect((await listEvents({ types: ["REFRESH_REFUSED"] })).rows).toMatchObject([
      { userId: null, detail: '{"reason":"unknown"}' },
    ]);
  });

  test("lists refused permissions of GraphQL and REST with the operation", async () => {
    const user = await createUser(app);
    const own = await signInAs(app, user);
    await app.graphql("{ securityEvents { rows { id } } }", {}, own);
    await app.rest("POST", "/v1/reports/download-report", { token: own, body: {} });
    const { rows } = await listEvents({ types: ["PERMISSION_REFUSED"], filter: { userId: user.id } });
    expect(rows.map(({ detail }) => JSON.parse(detail).operation)).toEqual([
      "POST /v1/reports/download-report",
      "GraphQL securityEvents",
    ]);
  });

  test("lists forged payment notices", async () => {
    await app.rest("POST", "/v1/payments/webhook", { body: "{}", headers: { "stripe-signature": "t=1,v1=00" } });
    expect((await listEvents({ types: ["PAYMENT_NOTICE_FORGED"] })).rows).toHaveLength(1);
  });

  test("lists changed roles and views as a customer with the admin", async () => {
    const user = await createUser(app);
    await app.graphql("mutation ($id: ID!) { viewAsCustomer(userId: $id) { expiresIn } }", { id: user.id }, token);
    const { rows } = await listEvents({ filter: { userId: user.id } });
    expect(rows).toMatchObject([{ type: "VIEW_AS_STARTED", userId: user.id, actorId: admin.id }]);
  });

  test("pages through all events without repeating one", async () => {
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof listEvents>> = await listEvents({ first: 3, after });
      seen.push(...page.rows.map(({ id }) => id));
      after = page.endCursor;
    } while (after);
    const { rows } = await app.services.pool.query("select id from security_events order by at desc, id desc");
    expect(seen).toEqual(rows.map(({ id }) => id));
  });

  test("filters by words from the name of a user, by address and by dates", async () => {
    const { rows: mine } = await listEvents({ filter: { search: "Grace Hopper" } });
    expect(mine.length).toBeGreaterThan(0);
    expect(new Set(mine.flatMap(({ userId, actorId }) => [userId, actorId]))).toContain(admin.id);
    expect((await listEvents({ filter: { address: "203.0.113.1" } })).rows).toEqual([]);
    expect((await listEvents({ filter: { from: "2099-01-01" } })).rows).toEqual([]);
    const { errors } = await app.graphql(query, { first: 101 }, token);
    expect(errors?.[0]?.extensions.code).toBe("BAD_USER_INPUT");
  });
});
