import { afterEach, expect, test, vi } from "vitest";
import { toKnownError } from "#api/v1/serve-routes.ts";

const log = { error: vi.fn(), info: vi.fn() };
const request = { id: "request", log } as unknown as Parameters<typeof toKnownError>[1];
const fail = (properties: object) => Object.assign(new Error("no"), properties);
const away = () => Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED", syscall: "connect" });

afterEach(() => {
  vi.useRealTimers();
  vi.clearAllMocks();
});

test.each([
  ["a time-out, whose code is a number", new DOMException("late", "TimeoutError"), "INTERNAL"],
  ["another service's refusal", fail({ statusCode: 401, code: "api_key_expired" }), "INTERNAL"],
  ["a body of another type", fail({ statusCode: 415, code: "FST_ERR_X" }), "UNSUPPORTED_MEDIA_TYPE"],
  ["a malformed request", fail({ statusCode: 400, expose: true }), "BAD_USER_INPUT"],
  ["nothing", undefined, "INTERNAL"],
])("reports %s", (_what, error, code) => {
  expect(toKnownError(error, request).code).toBe(code);
});

test("logs an outage once a second, with the number of requests that failed", () => {
  vi.useFakeTimers();
  for (let count = 0; count < 10; count++) expect(toKnownError(away(), request).code).toBe("UNAVAILABLE");
  expect(log.error).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1_000);
  toKnownError(away(), request);
  vi.advanceTimersByTime(5_000);
  const outage = { reason: "connect ECONNREFUSED", code: "ECONNREFUSED" };
  expect(log.error.mock.calls).toEqual(
    [1, 9, 1].map((failures) => [{ ...outage, failures }, "the database is unavailable"]),
  );
});

test("logs a statement that took too long with its stack", () => {
  const error = Object.assign(new Error("canceling statement due to statement timeout"), { code: "57014" });
  expect(toKnownError(error, request).code).toBe("UNAVAILABLE");
  expect(log.error).toHaveBeenCalledWith({ err: error, requestId: "request" }, "request failed");
});

test.each([
  [true, "ERR_STREAM_PREMATURE_CLOSE", "info"],
  [false, "ERR_STREAM_PREMATURE_CLOSE", "error"],
  [true, undefined, "error"],
] as const)("if the connection is closed: %s, logs the code %s as %s", (destroyed, code, level) => {
  const error = Object.assign(new Error("Premature close"), { code });
  toKnownError(error, { ...request, raw: { socket: { destroyed } } } as typeof request);
  expect(log[level]).toHaveBeenCalledTimes(1);
  expect(log.error.mock.calls.length + log.info.mock.calls.length).toBe(1);
});
