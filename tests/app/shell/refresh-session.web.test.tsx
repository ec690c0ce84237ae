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

test("many calls at once exchange the refresh token once", async () => {
  const stale = signInAs("regular");
  const outcomes = await Promise.all([refreshSession(stale), refreshSession(stale), refreshSession(stale)]);
  expect(outcomes).toEqual(["refreshed", "refreshed", "refreshed"]);
  expect(server).toHaveBeenCalledTimes(1);
  expect(currentSession()?.accessToken).toBe(successor.accessToken);
  expect(JSON.parse(server.mock.calls[0]?.[1]?.body as string).variables).toEqual({ refreshToken: "refresh-1" });
});

test("a token another tab has already renewed is used without asking the server", async () => {
  const stale = signInAs("regular");
  signInAs("regular", { serial: 2 });
  expect(await refreshSession(stale)).toBe("refreshed");
  expect(server).not.toHaveBeenCalled();
});

test("a call is never repeated in the name of a user who signed in meanwhile", async () => {
  const stale = signInAs("regular");
  signInAs("admin", { id: "someone-else" });
  expect(await refreshSession(stale)).toBe("ended");
});

test.each(["UNAUTHENTICATED", "BAD_USER_INPUT"])("a refresh answered %s ends the session", async (code) => {
  const stale = signInAs("regular");
  server.mockResolvedValue(refused(code));
  expect(await refreshSession(stale)).toBe("ended");
  expect(currentSession()).toBeNull();
});

test.each(["RATE_LIMITED", "UNAVAILABLE", "INTERNAL"])("a refresh answered %s keeps the session", async (code) => {
  const stale = signInAs("regular");
  server.mockResolvedValue(refused(code));
  expect(await refreshSession(stale)).toBe("refused");
  expect(currentSession()?.accessToken).toBe(stale);
});

test("a lost connection keeps the session", async () => {
  const stale = signInAs("regular");
  server.mockRejectedValue(new TypeError("Failed to fetch"));
  expect(await refreshSession(stale)).toBe("unreachable");
  expect(currentSession()?.accessToken).toBe(stale);
});

test("a sign-out during the refresh stays a sign-out", async () => {
  const stale = signInAs("regular");
  server.mockImplementation(async () => {
    removeSession();
    return refreshed();
  });
  expect(await refreshSession(stale)).toBe("ended");
  expect(currentSession()).toBeNull();
});

test("a token that has run out is renewed before it is used", async () => {
  signInAs("regular", { expiresIn: -1 });
  expect(await accessToken()).toBe(successor.accessToken);
});

test("visitors have no token and ask for none", async () => {
  expect(await accessToken()).toBeNull();
  expect(server).not.toHaveBeenCalled();
});

test("a token another tab stores while ours is on its way is used, with an answer of ours or a refusal", async () => {
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

test("tabs take turns under a lock", async () => {
  const request = vi.fn(async (_name: string, work: () => Promise<unknown>) => work());
  Object.defineProperty(navigator, "locks", { value: { request }, configurable: true });
  await refreshSession(signInAs("regular"));
  expect(request).toHaveBeenCalledWith("xer-portal.refresh", expect.any(Function));
  Reflect.deleteProperty(navigator, "locks");
});
