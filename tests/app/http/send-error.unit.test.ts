import { expect, test } from "vitest";
import { toKnownError } from "#api/v1/send-error.ts";

const request = { id: "request", log: { error: () => {} } } as unknown as Parameters<typeof toKnownError>[1];

test.each([
  ["a time-out, whose code is a number", new DOMException("late", "TimeoutError"), "INTERNAL"],
  [
    "another service's refusal",
    Object.assign(new Error("no"), { statusCode: 401, code: "api_key_expired" }),
    "INTERNAL",
  ],
  [
    "a body of another type",
    Object.assign(new Error("no"), { statusCode: 415, code: "FST_ERR_X" }),
    "UNSUPPORTED_MEDIA_TYPE",
  ],
  ["a malformed request", Object.assign(new Error("no"), { statusCode: 400, expose: true }), "BAD_USER_INPUT"],
  ["nothing", undefined, "INTERNAL"],
])("reports %s", (_what, error, code) => {
  expect(toKnownError(error, request).code).toBe(code);
});
