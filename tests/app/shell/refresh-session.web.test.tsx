import { beforeEach, expect, test, vi } from "vitest";
import { accessTokenOf, graphqlAnswer, signedOut, signInAs } from "#tests/support/render-web.tsx";
import { accessToken, refreshSession } from "#web/platform/refresh-session.ts";
import { currentSession, removeSession } from "#web/platform/session.ts";

const successor = { accessToken: accessTokenOf({ serial: 2 }), refreshToken: "refresh-2", expiresIn: 600 };
const refreshed = () => graphqlAnswer({ data: { refreshSession: successor } });
const refused = (code: string) => graphqlAnswer({ data: null, errors: [{ message: "No.", extensions: { code } }] });

let server: ReturnType<typeof vi.fn<typeof fetch>>;

beforeEach(() => {
  signedOut();
  server = vi.fn<typeof fetch>(async () => refreshed());
  vi.stubGlobal("fetch", server);
});

test("exchanges the refresh token once for concurrent calls", async () => {
  const stale = signInAs("regular");
  const outcomes = await Promise.all([refreshSession(stale), refreshSession(stale), refreshSession(stale)]);
  expect(outcomes).toEqual(["refreshed", "refreshed", "refreshed"]);
  expect(server).toHaveBeenCalledTimes(1);
  expect(currentSession()?.accessToken).toBe(successor.accessToken);
  expect(JSON.parse(server.mock.calls[0]?.[1]?.body as string).variables).toEqual({ refreshToken: "refresh-1" });
});

test("uses a token another tab has renewed without a request", async () => {
  const stale = signInAs("regular");
  signInAs("regular", { serial: 2 });
  expect(await refreshSession(stale)).toBe("refreshed");
  expect(server).not.toHaveBeenCalled();
});

test("never repeats a call as a user who signed in meanwhile", async () => {
  const stale = signInAs("regular");
  signInAs("admin", { id: "someone-else" });
  expect(await refreshSession(stale)).toBe("ended");
});

test.each(["UNAUTHENTICATED", "BAD_USER_INPUT"])("ends the session after %s", async (code) => {
  const stale = signInAs("regular");
  server.mockResolvedValue(refused(code));
  expect(await refreshSession(stale)).toBe("ended");
  expect(currentSession()).toBeNull();
});

test.each(["RATE_LIMITED", "UNAVAILABLE", "INTERNAL"])("keeps the session after %s", async (code) => {
  const stale = signInAs("regular");
  server.mockResolvedValue(refused(code));
  expect(await refreshSession(stale)).toBe("refused");
  expect(currentSession()?.accessToken).toBe(stale);
});

test("keeps the session when the connection is lost", async () => {
  const stale = signInAs("regular");
  server.mockRejectedValue(new TypeError("Failed to fetch"));
  expect(await refreshSession(stale)).toBe("unreachable");
  expect(currentSession()?.accessToken).toBe(stale);
});

test("stays signed out after a sign-out during the refresh", async () => {
  const stale = signInAs("regular");
  server.mockImplementation(async () => {
    removeSession();
    return refreshed();
  });
  expect(await refreshSession(stale)).toBe("ended");
  expect(currentSession()).toBeNull();
});

test("renews an expired token before it is used", async () => {
  signInAs("regular", { expiresIn: -1 });
  expect(await accessToken()).toBe(successor.accessToken);
});

test("requests no token for visitors", async () => {
  expect(await accessToken()).toBeNull();
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
    expect(currentSession()?.accessToken).toBe(accessTokenOf({ serial: 3 }));
  }
});

test("locks the refresh across tabs", async () => {
  const request = vi.fn(async (_name: string, work: () => Promise<unknown>) => work());
  Object.defineProperty(navigator, "locks", { value: { request }, configurable: true });
  await refreshSession(signInAs("regular"));
  expect(request).toHaveBeenCalledWith("xer-portal.refresh", expect.any(Function));
  Reflect.deleteProperty(navigator, "locks");
});
