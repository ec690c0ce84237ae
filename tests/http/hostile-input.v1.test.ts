import { describe, expect, test } from "vitest";
import type { AnyObjectSchema } from "yup";
import { routes } from "#api/v1/routes.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const regular = await signInAs(app, await createUser(app));
const admin = await signInAs(app, await createAdmin(app));

/** Values that no field may trip over. */
const hostileValues: Record<string, unknown> = {
  number: 1e308,
  negative: -1,
  boolean: true,
  null: null,
  empty: "",
  blank: "   ",
  list: ["a", "b"],
  object: { $ne: null, toString: "x" },
  nul: "a\u0000b",
  newline: "a\r\nX-Evil: 1",
  long: "x".repeat(60_000),
  unicode: "\u202e\ud83d\ude00\u0301",
  loneSurrogate: "\ud800",
  sql: "'; drop table users; --",
  script: "<script>alert(1)</script>",
  path: "../../../../etc/passwd",
  uuid: "00000000-0000-4000-8000-000000000000",
};

const leak = /at .+\.(ts|js|mjs):\d+|node_modules|select .+ from|syntax error at|violates|relation "/i;

async function never5xx(method: string, path: string, body: unknown, token: string | undefined) {
  const answer = await app.rest(method, path, { ...(body === undefined ? {} : { body }), ...(token ? { token } : {}) });
  expect(answer.status, `${method} ${path} ${answer.text.slice(0, 200)}`).toBeLessThan(500);
  if (answer.status === 204) return answer;
  expect(answer.headers.get("content-type")).toContain("application/json");
  expect(answer.json).not.toBeUndefined();
  expect(answer.text).not.toMatch(leak);
  return answer;
}

const urlOf = (pattern: string, value: string) => pattern.replace(/:\w+/g, encodeURIComponent(value));

const takesInput = routes.filter((route) => route.body || route.query || route.url.includes(":"));

describe.each(takesInput.map((route) => [`${route.method} ${route.url}`, route] as const))("%s", (_name, route) => {
  const token = route.allow === "everyone" ? undefined : route.allow === "admin" ? admin : regular;
  const fields = Object.keys((route.body as AnyObjectSchema | undefined)?.fields ?? {});

  if (route.body) {
    test("refuses bodies that are no JSON object with 400", async () => {
      for (const body of ["[]", '"text"', "1", "null", "{", "{'a':1}", '{"__proto__":{"a":1}}', '{"a":1}{"b":2}']) {
        const answer = await never5xx(route.method, urlOf(route.url, "x"), body, token);
        if (body !== "null") expect(answer.status).toBeGreaterThanOrEqual(400);
      }
      const invalid = await never5xx(
        route.method,
        urlOf(route.url, "x"),
        new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]),
        token,
      );
      expect(invalid.status).toBe(400);
    });

    test("answers hostile values in each field by naming the field, or as data", async () => {
      for (const field of fields)
        for (const value of Object.values(hostileValues)) {
          const answer = await never5xx(route.method, urlOf(route.url, "x"), { [field]: value }, token);
          if (answer.status !== 400) continue;
          for (const sentences of Object.values(answer.json as Record<string, unknown>)) {
            expect(Array.isArray(sentences)).toBe(true);
            for (const sentence of sentences as unknown[]) expect(typeof sentence).toBe("string");
          }
        }
    });

    test("ignores unknown fields", async () => {
      const without = await never5xx(route.method, urlOf(route.url, "x"), {}, token);
      const withUnknown = await never5xx(
        route.method,
        urlOf(route.url, "x"),
        { surprise: 1, constructor: { a: 1 } },
        token,
      );
      expect(withUnknown.status).toBe(without.status);
    });

    test("refuses a megabyte with 413 and another content type with 415", async () => {
      const big = await never5xx(
        route.method,
        urlOf(route.url, "x"),
        { [fields[0] ?? "a"]: "x".repeat(1_000_000) },
        token,
      );
      expect(big.status).toBe(413);
      const answer = await app.rest(route.method, urlOf(route.url, "x"), {
        body: "a=1",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        ...(token ? { token } : {}),
      });
      expect(answer.status).toBe(415);
      expect(answer.json).toHaveProperty("requestId");
    });
  }

  if (route.query) {
    const names = Object.keys(route.query.fields);
    test("answers hostile values in the query by naming the field, or as data", async () => {
      for (const value of Object.values(hostileValues)) {
        const text = typeof value === "string" ? value : JSON.stringify(value);
        const all = names.map((name) => [name, encodeURIComponent(text.toWellFormed().slice(0, 2_000))] as const);
        const together = (suffix: string) => all.map(([name, one]) => `${name}${suffix}=${one}`).join("&");
        const queries = [
          ...all.map(([name, one]) => `${name}=${one}`),
          `${together("")}&${together("")}`,
          together("[]"),
          together("[a]"),
        ];
        await Promise.all(
          queries.map((one) => never5xx(route.method, `${urlOf(route.url, "x")}?${one}`, undefined, token)),
        );
      }
      for (const query of ["%", "%zz=1", `${names[0]}=%ff%fe`, "__proto__=1&constructor=2", "&&=&"])
        await never5xx(route.method, `${urlOf(route.url, "x")}?${query}`, undefined, token);
    });
  }

  if (route.url.includes(":"))
    test("answers unknown and malformed ids alike, without a fault", async () => {
      const texts = new Set<string>();
      for (const id of [
        "00000000-0000-4000-8000-000000000000",
        "nonsense",
        "-1",
        "a\u0000b",
        "' or '1'='1",
        "../../x",
        "%",
        "x".repeat(250),
      ]) {
        const answer = await never5xx(
          route.method,
          urlOf(route.url, id),
          route.body ? { reason: "x", machineName: "x" } : undefined,
          token,
        );
        if (answer.status === 404) texts.add(answer.text);
      }
      expect(texts.size).toBeLessThanOrEqual(1);
    });
});

test("an unknown path under /v1 is a 404 in JSON, in any method", async () => {
  for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
    const answer = await app.rest(method, "/v1/nothing/here");
    expect(answer.status).toBe(404);
    expect(answer.json).toBe("Sorry, we could not find what you asked for.");
  }
  const unreadable = await app.rest("GET", "/v1/%zz");
  expect(unreadable.status).toBe(400);
  expect(unreadable.headers.get("x-content-type-options")).toBe("nosniff");
  expect(JSON.stringify(unreadable.json)).not.toContain("%zz");
});

test("answers carry the safety headers and a request id", async () => {
  const { headers } = await app.rest("GET", "/v1/licence/signing-keys");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  expect(headers.get("access-control-allow-origin")).toBeNull();
});
