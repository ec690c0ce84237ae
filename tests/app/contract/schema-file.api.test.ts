import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const committed = readFileSync("schema/schema.graphql", "utf8");

const request = (headers: Record<string, string> = {}, method: "GET" | "HEAD" = "GET") =>
  app.app.inject({ method, url: "/schema.graphql", headers });

test("serves the committed schema at /schema.graphql to everyone", async () => {
  const { statusCode, headers, body } = await request();
  expect(statusCode).toBe(200);
  expect(headers["content-type"]).toBe("application/graphql; charset=utf-8");
  expect(body).toBe(committed);
});

test("revalidates /schema.graphql by its ETag", async () => {
  const { headers } = await request();
  expect(headers["cache-control"]).toBe("no-cache");
  expect(headers.etag).toMatch(/^"[\w-]{22}"$/);
  const again = await request({ "if-none-match": String(headers.etag) });
  expect([again.statusCode, again.body]).toEqual([304, ""]);
  const other = await request({ "if-none-match": '"another"' });
  expect(other.statusCode).toBe(200);
});

test("compresses /schema.graphql with a separate ETag", async () => {
  const packed = await request({ "accept-encoding": "gzip" });
  expect(packed.headers["content-encoding"]).toBe("gzip");
  expect(gunzipSync(packed.rawPayload).toString()).toBe(committed);
  expect(packed.headers.etag).not.toBe((await request()).headers.etag);
});

test("answers HEAD of /schema.graphql without a body", async () => {
  const { statusCode, headers, body } = await request({}, "HEAD");
  expect([statusCode, body]).toEqual([200, ""]);
  expect(headers["content-length"]).toBe(String(Buffer.byteLength(committed)));
});
