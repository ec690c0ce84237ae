import { expect, test } from "vitest";
import { permissions } from "#api/app/permissions.ts";
import { getPermission } from "#api/platform/graphql/permissions.ts";
import { routes } from "#api/v1/routes.ts";
import { createUser, signInAs, createAdmin, createCorporateUser } from "#tests/factories/user.ts";
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

test.each(bodiless.map((route) => [`${route.method} ${route.url}`, route] as const))(
  "%s rejects a body that is not JSON, of another type or too large, as documented",
  async (_name, route) => {
    const token = tokenFor[getPermission(permissions, route.operation).audience];
    const url = route.url.replace(/:\w+/g, "00000000-0000-4000-8000-000000000000");
    const sendBody = async (type: string, body: string) => {
      const headers = { "content-type": type };
      const { status, json } = await app.rest(route.method, url, { ...(token ? { token } : {}), headers, body });
      return [status, status === 400 ? json : Object.keys(json)];
    };
    expect(await sendBody("application/json", '{"a":')).toEqual([400, { body: ["Must be valid JSON."] }]);
    expect(await sendBody("text/plain", "a=b")).toEqual([415, ["Message", "requestId"]]);
    const large = JSON.stringify({ a: "x".repeat(150_000) });
    expect(await sendBody("application/json", large)).toEqual([413, ["Message", "requestId"]]);
  },
);
