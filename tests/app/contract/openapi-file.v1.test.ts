import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const committed = readFileSync("schema/openapi.json", "utf8");

const request = (headers: Record<string, string> = {}) => app.app.inject({ url: "/v1/openapi.json", headers });

test("serves the committed document at /v1/openapi.json with a strong ETag", async () => {
  const answer = await request();
  expect(answer.statusCode).toBe(200);
  expect(answer.body).toBe(committed);
  expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
  expect(answer.headers["cache-control"]).toBe("no-cache");
  const etag = String(answer.headers.etag);
  expect(etag).toMatch(/^"[\w-]{22}"$/);
  const again = await request({ "if-none-match": etag });
  expect([again.statusCode, again.body]).toEqual([304, ""]);
});

test("answers HEAD without a body", async () => {
  const { statusCode, headers, body } = await app.app.inject({ method: "HEAD", url: "/v1/openapi.json" });
  expect([statusCode, body]).toEqual([200, ""]);
  expect(headers.etag).toBe((await request()).headers.etag);
  expect(headers["content-length"]).toBe(String(Buffer.byteLength(committed)));
});

test("compresses the document with its own ETag and content type", async () => {
  const plain = await request();
  const packed = await request({ "accept-encoding": "gzip", accept: "application/vnd.oai.openapi+json" });
  expect(packed.headers["content-encoding"]).toBe("gzip");
  expect(gunzipSync(packed.rawPayload).toString()).toBe(committed);
  expect(packed.headers.etag).not.toBe(plain.headers.etag);
  expect(packed.headers["content-type"]).toBe("application/vnd.oai.openapi+json;version=3.1");
  const unpacked = await request({ "if-none-match": String(packed.headers.etag) });
  expect(unpacked.statusCode).toBe(200);
});
