import { describe, expect, test } from "vitest";
import { rateLimitPoints } from "#api/platform/limits/rate-limits.ts";
import { hashSecret } from "#api/platform/keys/secrets.ts";
import { createTokenWithScopes } from "#tests/factories/personal-access-token.ts";
import { createAdmin, createSignedIn, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { alternateProcesses } from "#tests/support/two-processes.ts";

const app = await startTestApp({ rateLimits: true });

const getPoints = async (name: "graphql" | "personalAccessToken", key: string) => {
  const { rows } = await app.services.pool.query<{ points: number }>("select points from rate_limits where key = $1", [
    `${name}:${hashSecret(key)}`,
  ]);
  return rows[0]?.points ?? 0;
};

async function send(query: string, token: string, headers: Record<string, string> = {}) {
  const answer = await app.rest("POST", "/graphql", { body: { query }, token, headers });
  const { status, json } = answer;
  const retryAfter = Number(answer.headers.get("retry-after"));
  return { status, json, retryAfter, cost: (json.extensions?.cost?.requested ?? 0) as number };
}

const withCost = { "x-query-cost": "1" };
const list = (limit: number) => `{ users(first: ${limit}) { rows { id email licences { id } } } }`;

describe("rate limit points of an operation", () => {
  test("are one for every 100 of its cost, and at least one", async () => {
    const admin = await createAdmin(app);
    const token = await signInAs(app, admin);
    let taken = 0;
    for (const query of ["{ me { id } }", list(10), list(50), list(100)]) {
      const { status, cost } = await send(query, token, withCost);
      expect(status).toBe(200);
      taken += Math.max(1, Math.ceil(cost / 100));
      expect(await getPoints("graphql", admin.id)).toBe(taken);
    }
    expect(taken).toBeGreaterThan(4);
  });

  test("are one for a mutation, a rejected document and a cost-only request", async () => {
    const { user, token } = await createSignedIn(app);
    await send("mutation { endOtherSessions { count } }", token);
    expect(await getPoints("graphql", user.id)).toBe(1);
    await send("mutation { ... on Mutation { a: endOtherSessions { count } b: endOtherSessions { count } } }", token);
    expect(await getPoints("graphql", user.id)).toBe(2);
    const nested = "{ me { licences { devices { events(first: 30) { rows { id } } } } } }";
    await send(nested, token, { "x-query-cost": "only" });
    expect(await getPoints("graphql", user.id)).toBe(3);
  });

  test("are at least one for each root field that runs, in fragments too", async () => {
    const { user, token } = await createSignedIn(app);
    const count = async (query: string) => {
      const before = await getPoints("graphql", user.id);
      expect((await send(query, token)).status).toBe(200);
      return (await getPoints("graphql", user.id)) - before;
    };
    expect(await count("{ a: me { id } b: me { id } c: me { id } }")).toBe(3);
    expect(await count("{ ...A ... { c: me { id } } } fragment A on Query { a: me { id } b: me { id } }")).toBe(3);
    expect(await count("{ a: me { id } b: me @skip(if: true) { id } c: me @include(if: false) { id } }")).toBe(1);
    expect(await count("{ __typename me { id } }")).toBe(1);
  });

  test("are also counted for the IP address of all users together, in two processes", async () => {
    const users = await Promise.all([1, 2].map(async () => signInAs(app, await createUser(app))));
    const send = await alternateProcesses(app);
    const sendWith = (token?: string) => send("POST", "/graphql", { query: "{ me { id } }" }, token);
    const key = `graphqlByAddress:${hashSecret("127.0.0.1")}`;
    for (const token of users) for (let n = 0; n < 4; n++) expect((await sendWith(token)).status).toBe(200);
    const { rows } = await app.services.pool.query("select points from rate_limits where key = $1", [key]);
    // Each process reserves 100 points at a time.
    expect(rows).toEqual([{ points: 200 }]);

    const { points } = rateLimitPoints.graphqlByAddress;
    await app.services.pool.query("update rate_limits set points = $2 where key = $1", [key, points]);
    const statuses: number[] = [];
    // Ten points each use up the reserves sooner.
    const ten = `{ ${Array.from({ length: 10 }, (_, n) => `a${n}: me { id }`).join(" ")} }`;
    for (let n = 0; n < 30; n++) statuses.push((await send("POST", "/graphql", { query: ten }, users[n % 2])).status);
    expect(statuses.slice(0, 10)).not.toContain(429);
    expect(statuses.slice(-10)).toEqual(Array<number>(10).fill(429));
    await app.services.pool.query("delete from rate_limits where key = $1", [key]);
  });

  test("count towards the personal access token limit if the call uses a token", async () => {
    const admin = await createAdmin(app);
    const secret = await createTokenWithScopes(app, admin, ["users:read", "licences:read"]);
    const { status, cost } = await send(list(100), secret, withCost);
    expect(status).toBe(200);
    expect(await getPoints("personalAccessToken", admin.id)).toBe(Math.ceil(cost / 100));
    expect(await getPoints("graphql", admin.id)).toBe(0);
  });

  test("reject an operation that costs more than is left, with the seconds to wait, and still allow a cheaper one", async () => {
    const admin = await createAdmin(app);
    const token = await signInAs(app, admin);
    await send("{ me { id } }", token);
    const row = [`graphql:${hashSecret(admin.id)}`, rateLimitPoints.graphql.points - 3];
    await app.services.pool.query("update rate_limits set points = $2 where key = $1", row);
    const refused = await send(list(100), token);
    expect(refused.status).toBe(429);
    const { extensions } = refused.json.errors[0];
    expect(extensions).toMatchObject({ code: "RATE_LIMITED", retryAfterSeconds: expect.any(Number) });
    expect(refused.retryAfter).toBe(extensions.retryAfterSeconds);
    expect(refused.json.data ?? null).toBeNull();
    expect((await send("{ me { id } }", token)).status).toBe(200);
    expect((await send("{ me { id } }", token)).status).toBe(200);
    const { status, json, retryAfter } = await send("{ me { id } }", token);
    expect([status, retryAfter]).toEqual([429, json.errors[0].extensions.retryAfterSeconds]);
  });
});
