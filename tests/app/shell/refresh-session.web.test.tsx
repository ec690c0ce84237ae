import { beforeEach, expect, test, vi } from "vitest";
import { createAccessToken, mockGraphqlResponse, resetSession, signInAs } from "#tests/support/render-web.tsx";
import { getAccessToken, refreshSession } from "#web/platform/refresh-session.ts";
import { getSession, removeSession } from "#web/platform/session.ts";

const successor = { accessToken: createAccessToken({ serial: 2 }), refreshToken: "refresh-2", expiresIn: 600 };
const refreshed = () => mockGraphqlResponse({ data: { refreshSession: successor } });
const refused = (code: string) =>
  mockGraphqlResponse({ data: null, errors: [{ message: "No.", extensions: { code } }] });

let server: ReturnType<typeof vi.fn<typeof fetch>>;

beforeEach(() => {
  resetSession();
  server = vi.fn<typeof fetch>(async () => refreshed());
  vi.stubGlobal("fetch", server);
});

test("exchanges the refresh token once for concurrent calls", async () => {
  const stale = signInAs("regular");
  const outcomes = await Promise.all([refreshSession(stale), refreshSession(stale), refreshSession(stale)]);
  expect(outcomes).toEqual(["refreshed", "refreshed", "refreshed"]);
  expect(server).toHaveBeenCalledTimes(1);
  expect(getSession()?.accessToken).toBe(successor.accessToken);
  expect(JSON.parse(server.mock.calls[0]?.[1]?.body as string).variables).toEqual({ refreshToken: "refresh-1" });
});

test("uses a token that another tab has renewed and sends no request", async () => {
  const stale = signInAs("regular");
  signInAs("regular", { serial: 2 });
  expect(await refreshSession(stale)).toBe("refreshed");
  expect(server).not.toHaveBeenCalled();
});

test("never repeats a call as a different user who has since signed in", async () => {
  const stale = signInAs("regular");
  signInAs("admin", { id: "someone-else" });
  expect(await refreshSession(stale)).toBe("ended");
});

test.each(["UNAUTHENTICATED", "BAD_USER_INPUT"])("ends the session after %s", async (code) => {
  const stale = signInAs("regular");
  server.mockResolvedValue(refused(code));
  expect(await refreshSession(stale)).toBe("ended");
  expect(getSession()).toBeNull();
});

test.each(["RATE_LIMITED", "UNAVAILABLE", "INTERNAL"])("keeps the session after %s", async (code) => {
  const stale = signInAs("regular");
  server.mockResolvedValue(refused(code));
  expect(await refreshSession(stale)).toBe("refused");
  expect(getSession()?.accessToken).toBe(stale);
});

test("keeps the session when the connection is lost", async () => {
  const stale = signInAs("regular");
  server.mockRejectedValue(new TypeError("Failed to fetch"));
  expect(await refreshSession(stale)).toBe("unreachable");
  expect(getSession()?.accessToken).toBe(stale);
});

test("stays signed out after a sign-out during the refresh", async () => {
  const stale = signInAs("regular");
  server.mockImplementation(async () => {
    removeSession();
    return refreshed();
  });
  expect(await refreshSession(stale)).toBe("ended");
  expect(getSession()).toBeNull();
});

test("renews an expired token before it is used", async () => {
  signInAs("regular", { expiresIn: -1 });
  expect(await getAccessToken()).toBe(successor.accessToken);
});

test("requests no token for visitors", async () => {
  expect(await getAccessToken()).toBeNull();
  expect(server).not.toHaveBeenCalled();
});

test("uses a token another tab stores during the refresh, whether the refresh succeeds or fails", async () => {
  for (const answer of [refreshed, () => refused("UNAUTHENTICATED")]) {
    const stale = signInAs("regular");
    server.mockImplementation(async () => {
      signInAs("regular", { serial: 3 });
      return answer();
    });
    expect(await refreshSession(stale)).toBe("refreshed");
    expect(getSession()?.accessToken).toBe(createAccessToken({ serial: 3 }));
  }
});

test("locks the refresh across tabs", async () => {
  const request = vi.fn(async (_name: string, work: () => Promise<unknown>) => work());
  Object.defineProperty(navigator, "locks", { value: { request }, configurable: true });
  await refreshSession(signInAs("regular"));
  expect(request).toHaveBeenCalledWith("xer-portal.refresh", expect.any(Function));
  Reflect.deleteProperty(navigator, "locks");
});
