import { expect, test } from "vitest";
import { routes } from "#api/v1/routes.ts";
import { createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const user = await createUser(app);
const token = await signInAs(app, user);

const get = routes.filter(({ method }) => method === "GET");
const safe = get.filter(({ operation }) => !operation.startsWith("Mutation."));

test("answers HEAD like GET, without a body, for every call that only reads", async () => {
  for (const { url } of safe) {
    const path = `${url.replace(/:\w+/, user.id)}?stage=4&version=0`;
    const [head, whole] = [await app.rest("HEAD", path, { token }), await app.rest("GET", path, { token })];
    expect([head.status, head.text], path).toEqual([whole.status, ""]);
  }
});

test("refuses HEAD for calls that change something", async () => {
  for (const { url } of get.filter((route) => !safe.includes(route))) {
    const { status, headers } = await app.rest("HEAD", url.replace(/:\w+/, user.id), { token });
    expect([status, headers.get("allow")], url).toEqual([405, "POST, GET, OPTIONS"]);
  }
});

test("answers HEAD of a GraphQL query like GET", async () => {
  const path = "/graphql?query=%7B__typename%7D";
  const headers = { "apollo-require-preflight": "true" };
  const [head, whole] = [await app.rest("HEAD", path, { headers }), await app.rest("GET", path, { headers })];
  expect([head.status, head.text]).toEqual([whole.status, ""]);
  expect(whole.json).toEqual({ data: { __typename: "Query" } });
});

test("returns 404 in JSON for an unknown path under /v1 with any method", async () => {
  for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
    const answer = await app.rest(method, "/v1/nothing/here");
    expect(answer.status).toBe(404);
    expect(answer.json).toBe("Sorry, we could not find what you asked for.");
  }
  const unreadable = await app.rest("GET", "/v1/%zz");
  expect(unreadable.status).toBe(404);
  expect(unreadable.headers.get("x-content-type-options")).toBe("nosniff");
  expect(JSON.stringify(unreadable.json)).not.toContain("%zz");
});

test("sends security headers and a request id", async () => {
  const { headers } = await app.rest("GET", "/v1/licence/signing-keys");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  expect(headers.get("access-control-allow-origin")).toBeNull();
});
