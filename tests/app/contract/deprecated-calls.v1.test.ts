import { describe, expect, test } from "vitest";
import { deprecated } from "#api/v1/deprecation.ts";
import { routes } from "#api/v1/routes.ts";
import openApi from "#schema/openapi.json" with { type: "json" };
import { createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();

const marked = routes.filter((route) => route.deprecated).map(({ method, url }) => `${method} ${url}`);

test("the calls that have a canonical twin are the deprecated ones, and OpenAPI says so", () => {
  expect(marked).toEqual([
    "GET /v1/core/accounts/resend-confirmation-email/:handle",
    "GET /v1/subscriptions/create-trial",
  ]);
  const inOpenApi = Object.entries(openApi.paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, { deprecated?: boolean; description: string }>)
      .filter(([, operation]) => operation.deprecated)
      .map(([method, { description }]) => {
        expect(description).toContain("Deprecated. Use POST");
        return `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ":$1")}`;
      }),
  );
  expect(inOpenApi.toSorted()).toEqual(marked.toSorted());
});

describe("a deprecated call works as before, and says what it is in its headers", () => {
  test.each(["GET", "POST"])("%s create-trial", async (method) => {
    const token = await signInAs(app, await createUser(app));
    const { status, json, headers } = await app.rest(method, "/v1/subscriptions/create-trial", { token });
    expect({ status, json }).toEqual({ status: 200, json: expect.stringMatching(/^[0-9A-Z]{5}-/) });
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("deprecation")).toBe(method === "GET" ? `@${Date.UTC(2026, 10, 22) / 1000}` : null);
    expect(headers.get("link")).toBe(method === "GET" ? '</v1/docs>; rel="deprecation"; type="text/html"' : null);
    // Nobody has decided when it goes.
    expect(headers.get("sunset")).toBeNull();
  });
});

test("a call whose end is decided names the moment, as RFC 8594 writes it", () => {
  const { headers } = deprecated(
    { since: "2026-11-22", instead: "x", sunset: "2028-01-01" },
    { "cache-control": "no-store" },
  );
  expect(headers).toEqual({
    "cache-control": "no-store",
    deprecation: "@1795305600",
    link: '</v1/docs>; rel="deprecation"; type="text/html"',
    sunset: "Sat, 01 Jan 2028 00:00:00 GMT",
  });
});
