import { describe, expect, test } from "vitest";
import { markDeprecated } from "#api/v1/deprecation.ts";
import { routes } from "#api/v1/routes.ts";
import openApi from "#schema/openapi.json" with { type: "json" };
import { createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();

const marked = routes.filter((route) => route.deprecated).map(({ method, url }) => `${method} ${url}`);

test("marks the GETs that repeat a POST as deprecated in OpenAPI", () => {
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

describe("a deprecated call", () => {
  test.each(["GET", "POST"])("works as %s create-trial, and sends deprecation headers only for GET", async (method) => {
    const token = await signInAs(app, await createUser(app));
    const { status, json, headers } = await app.rest(method, "/v1/subscriptions/create-trial", { token });
    expect({ status, json }).toEqual({ status: 200, json: expect.stringMatching(/^[0-9A-Z]{5}-/) });
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("deprecation")).toBe(method === "GET" ? `@${Date.UTC(2026, 10, 22) / 1000}` : null);
    expect(headers.get("link")).toBe(method === "GET" ? '</v1/docs>; rel="deprecation"; type="text/html"' : null);
    // No end is decided yet.
    expect(headers.get("sunset")).toBeNull();
  });
});

test("sends the end date of a call as RFC 8594 defines it", () => {
  const { headers } = markDeprecated(
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
