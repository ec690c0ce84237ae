import { expect, test } from "vitest";
import { startTestApp } from "#tests/support/test-app.ts";
import { testHostileInput } from "./test-hostile-input.ts";

const app = await startTestApp();
await testHostileInput(app, 2);

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
