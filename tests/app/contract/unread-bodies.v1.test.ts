import { describe, expect, test } from "vitest";
import { routes } from "#api/v1/routes.ts";
import { createAdmin, createCorporateUser, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const tokens = {
  regular: await signInAs(app, await createUser(app)),
  corporate: await signInAs(app, await createCorporateUser(app)),
  admin: await signInAs(app, await createAdmin(app)),
};

/** Valid credentials, so that a call can be rejected only because of its body. */
const tokenFor = {
  everyone: undefined,
  anySession: tokens.regular,
  signedIn: tokens.regular,
  ...tokens,
  customer: tokens.corporate,
};

const bodiless = routes.filter(({ method, upload }) => method !== "GET" && !upload);

describe.each(bodiless.map((route) => [`${route.method} ${route.url}`, route] as const))("%s", (_name, route) => {
  test.each([
    ["not JSON", 400, "application/json", '{"a":'],
    ["of another type", 415, "text/plain", "a=b"],
    ["too large", 413, "application/json", JSON.stringify({ a: "x".repeat(150_000) })],
  ])("rejects a body that is %s, as documented", async (_what, status, type, body) => {
    const token = tokenFor[route.allow];
    const answer = await app.rest(route.method, route.url.replace(/:\w+/g, "00000000-0000-4000-8000-000000000000"), {
      ...(token ? { token } : {}),
      headers: { "content-type": type },
      body,
    });
    expect(answer.status).toBe(status);
    if (status === 400) expect(answer.json).toEqual({ body: ["Must be valid JSON."] });
    else expect(Object.keys(answer.json)).toEqual(["Message", "requestId"]);
  });
});
