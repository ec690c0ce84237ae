import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { routesOf } from "#api/platform/http/define-route.ts";
import { routes } from "#api/v1/routes.ts";
import { statusOfErrorCode } from "#schema/error-codes.ts";
import openApi from "#schema/openapi.json" with { type: "json" };
import { createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();

/** Requests a served document without following the network. */
const request = (url: string, headers: Record<string, string> = {}, method: "GET" | "HEAD" = "GET") =>
  app.app.inject({ method, url, headers });

test.each([
  ["/v1/openapi.json", "schema/openapi.json", "application/json; charset=utf-8"],
  ["/schema.graphql", "schema/schema.graphql", "application/graphql; charset=utf-8"],
])("%s is the committed document, plain and compressed, each with its own strong ETag", async (url, file, type) => {
  const committed = readFileSync(file, "utf8");
  const { statusCode, headers, body } = await request(url);
  expect([statusCode, body]).toEqual([200, committed]);
  expect(headers).toMatchObject({ "content-type": type, "cache-control": "no-cache" });
  expect(headers.etag).toMatch(/^"[\w-]{22}"$/);
  const again = await request(url, { "if-none-match": String(headers.etag) });
  expect([again.statusCode, again.body]).toEqual([304, ""]);
  const packed = await request(url, { "accept-encoding": "gzip" });
  expect(packed.headers["content-encoding"]).toBe("gzip");
  expect(gunzipSync(packed.rawPayload).toString()).toBe(committed);
  expect(packed.headers.etag).not.toBe(headers.etag);
  for (const other of ['"another"', String(packed.headers.etag)])
    expect((await request(url, { "if-none-match": other })).statusCode).toBe(200);
});

test("serves OpenAPI with the content type that a client prefers", async () => {
  const { headers } = await request("/v1/openapi.json", { accept: "application/vnd.oai.openapi+json" });
  expect(headers["content-type"]).toBe("application/vnd.oai.openapi+json;version=3.1");
});

const marked = routes.filter((route) => route.deprecated).map(({ method, url }) => `${method} ${url}`);

test("marks GET calls that duplicate a POST as deprecated in OpenAPI", () => {
  const resend = "GET /v1/core/accounts/resend-confirmation-email/:handle";
  expect(marked).toEqual([resend, "GET /v1/subscriptions/create-trial"]);
  const inOpenApi = Object.entries(openApi.paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, { deprecated?: boolean; description: string; responses: object }>)
      .filter(([, operation]) => operation.deprecated)
      .map(([method, { description, responses }]) => {
        expect(description).toContain("Deprecated. Use POST");
        expect(responses).toHaveProperty(["200", "headers", "Deprecation"]);
        return `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ":$1")}`;
      }),
  );
  expect(inOpenApi.toSorted()).toEqual(marked.toSorted());
});

test.each(["GET", "POST"])("%s create-trial works, and sends deprecation headers only for GET", async (method) => {
  const token = await signInAs(app, await createUser(app));
  const { status, json, headers } = await app.rest(method, "/v1/subscriptions/create-trial", { token });
  expect({ status, json }).toEqual({ status: 200, json: expect.stringMatching(/^[0-9A-Z]{5}-/) });
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("deprecation")).toBe(method === "GET" ? `@${Date.UTC(2026, 10, 22) / 1000}` : null);
  expect(headers.get("link")).toBe(method === "GET" ? '</v1/docs>; rel="deprecation"; type="text/html"' : null);
  // No end date has been set yet.
  expect(headers.get("sunset")).toBeNull();
});

test("sends the end date of a call as RFC 8594 defines it", () => {
  const { headers } = routesOf("Accounts")("GET /v1/old", {
    summary: "An old call",
    headers: { "cache-control": "no-store" },
    deprecated: { since: "2026-11-22", instead: "x", sunset: "2028-01-01" },
    handler: () => undefined,
  });
  const link = '</v1/docs>; rel="deprecation"; type="text/html"';
  const added = { deprecation: "@1795305600", link, sunset: "Sat, 01 Jan 2028 00:00:00 GMT" };
  expect(headers).toEqual({ "cache-control": "no-store", ...added });
});

test("documents all error codes of GraphQL in docs/graphql.md except that of a wrong content type, which REST answers", () => {
  const rows = readFileSync("docs/graphql.md", "utf8").matchAll(/^\| `([A-Z_]+)` \|/gm);
  const documented = Array.from(rows, ([, code]) => code);
  const { UNSUPPORTED_MEDIA_TYPE: _, ...codes } = statusOfErrorCode;
  expect(new Set(documented)).toEqual(new Set(Object.keys(codes)));
});

test("rejects a body over 100 kB before GraphQL reads it, as documented in docs/graphql.md", async () => {
  const payload = { query: "{ me { id } }", variables: { text: "x".repeat(110_000) } };
  const answer = await app.app.inject({ method: "POST", url: "/graphql", payload });
  expect(answer.statusCode).toBe(413);
  expect(Object.keys(answer.json())).toEqual(["Message", "requestId"]);
});
