import { act, renderHook } from "@testing-library/react";
import { beforeEach, expect, test, afterEach, describe, vi } from "vitest";
import { notices } from "#web/platform/notifications.ts";
import { getAccessToken, refreshSession } from "#web/platform/refresh-session.ts";
import {
  getSession,
  parseClaims,
  removeSession,
  SESSION_KEY,
  useSession,
  keepPagesOfEndedSessions,
  leaveEndedSession,
  startSession,
} from "#web/platform/session.ts";
import { useUnsavedInput } from "#web/platform/unsaved-input.ts";
import {
  createAccessToken,
  simulateOtherTab,
  resetSession,
  signInAs,
  mockGraphqlResponse,
} from "#tests/support/render-web.tsx";

beforeEach(resetSession);

test("stores the session under one key with the user's claims, and returns the same object until it changes", () => {
  signInAs("corporate");
  expect(Object.keys(localStorage)).toEqual([SESSION_KEY]);
  const names = { givenName: "Ada", familyName: "Lövgren" };
  expect(getSession()?.claims).toEqual({ id: "user-1", email: "ada@demo.test", ...names, role: "corporate" });
  signInAs("regular");
  expect(getSession()).toBe(getSession());
});

test("treats malformed storage as signed out, and rejects a token with an unknown role", () => {
  const noClaims = '{"accessToken":"a.b.c","refreshToken":"r","expiresAt":1}';
  for (const stored of ["", "null", "[]", "{}", '{"accessToken":1}', noClaims, "{"]) {
    localStorage.setItem(SESSION_KEY, stored);
    expect(getSession()).toBeNull();
  }
  expect(parseClaims(createAccessToken({ role: "owner" as never }))).toBeNull();
});

test("updates components on sign-in and sign-out in this tab", () => {
  const { result } = renderHook(useSession);
  expect(result.current).toBeNull();
  act(() => void signInAs("regular"));
  expect(result.current?.claims.role).toBe("regular");
  act(removeSession);
  expect(result.current).toBeNull();
});

test.each([
  [
    "refuses storage",
    () =>
      vi.spyOn(window, "localStorage", "get").mockImplementation(() => {
        throw new DOMException("Access is denied.", "SecurityError");
      }),
  ],
  [
    "has no space left",
    () =>
      vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
        throw new DOMException("Full.", "QuotaExceededError");
      }),
  ],
])("signs in for this page when the browser %s", (_how, block) => {
  block();
  signInAs("regular");
  expect(getSession()?.claims.role).toBe("regular");
  removeSession();
  expect(getSession()).toBeNull();
});

test("says once what is lost when the browser refuses cookies", () => {
  vi.spyOn(navigator, "cookieEnabled", "get").mockReturnValue(false);
  signInAs("regular");
  signInAs("regular", { serial: 2 });
  expect(notices.get().map(({ message }) => message)).toEqual([
    expect.stringMatching(/you'll have to sign in again .* allow cookies and site data/),
  ]);
});

test("keeps a page with unsaved input after a sign-out in another tab", () => {
  const stopKeeping = keepPagesOfEndedSessions();
  signInAs("regular");
  const { result } = renderHook(useSession);
  const form = renderHook(() => useUnsavedInput(true));
  act(() => simulateOtherTab(null));
  expect(result.current?.isEnded).toBe(true);
  form.unmount();
  act(() => void signInAs("regular"));
  act(() => simulateOtherTab(null));
  expect(result.current).toBeNull();
  stopKeeping();
});

test("updates components on changes in another tab", () => {
  signInAs("regular");
  const { result } = renderHook(useSession);
  act(() => simulateOtherTab(null));
  expect(result.current).toBeNull();
  const accessToken = createAccessToken({ role: "admin" });
  const stored = { accessToken, refreshToken: "r", expiresAt: Date.now() + 1_000 };
  act(() => simulateOtherTab(JSON.stringify(stored)));
  expect(result.current?.claims.role).toBe("admin");
  // The browser kept the page for Back while another one of the tab was shown.
  localStorage.clear();
  act(() => void window.dispatchEvent(new Event("pageshow")));
  expect(result.current).toBeNull();
});

describe("refreshing", () => {
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

  test("requests no token for visitors, and renews an expired one before it is used", async () => {
    expect(await getAccessToken()).toBeNull();
    expect(server).not.toHaveBeenCalled();
    signInAs("regular", { expiresIn: -1 });
    expect(await getAccessToken()).toBe(successor.accessToken);
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

  /** Lets the API end the session while a page is shown. Returns the pending refresh. */
  async function endSessionOfPage(): Promise<{ outcome: Promise<string>; settled: () => string | null }> {
    const stale = signInAs("regular");
    server.mockImplementation(async () => refused("UNAUTHENTICATED"));
    let result: string | null = null;
    const outcome = refreshSession(stale).then((value) => {
      result = value;
      return value;
    });
    await vi.waitFor(() => expect(getSession()?.isEnded).toBe(true));
    return { outcome, settled: () => result };
  }

  describe("with a page that shows content", () => {
    let stopKeeping: () => void;
    beforeEach(() => {
      stopKeeping = keepPagesOfEndedSessions();
    });
    afterEach(() => stopKeeping());

    test("removes the tokens and waits until the same user has signed in again", async () => {
      const { outcome, settled } = await endSessionOfPage();
      expect(localStorage.getItem(SESSION_KEY)).toBeNull();
      expect(getSession()?.claims.email).toBe("ada@demo.test");
      expect(settled()).toBeNull();
      startSession(successor);
      expect(await outcome).toBe("refreshed");
      expect(await getAccessToken()).toBe(successor.accessToken);
    });

    test("sends a later call only after the sign-in", async () => {
      await endSessionOfPage();
      const token = getAccessToken();
      startSession(successor);
      expect(await token).toBe(successor.accessToken);
      expect(server).toHaveBeenCalledTimes(1);
    });

    test("continues after a sign-in in another tab", async () => {
      const { outcome } = await endSessionOfPage();
      simulateOtherTab(JSON.stringify({ ...successor, expiresAt: Date.now() + 600_000 }));
      expect(await outcome).toBe("refreshed");
      expect(getSession()?.isEnded).toBeUndefined();
    });

    test("doesn't repeat the call when another user signs in, or the user leaves", async () => {
      const first = await endSessionOfPage();
      const later = getAccessToken();
      signInAs("admin", { id: "someone-else" });
      expect(await first.outcome).toBe("ended");
      expect(await later).toBeNull();
      const second = await endSessionOfPage();
      leaveEndedSession();
      expect(await second.outcome).toBe("ended");
      expect(getSession()).toBeNull();
    });

    test("keeps the page when another tab finds that the session has ended, and closes it on a sign-out there", () => {
      signInAs("regular");
      expect(getSession()?.isEnded).toBeUndefined();
      localStorage.setItem("xer-portal.session-ended", "user-1");
      simulateOtherTab(null);
      expect(getSession()?.isEnded).toBe(true);
      localStorage.clear();
      window.dispatchEvent(new StorageEvent("storage", { key: null }));
      expect(getSession()).toBeNull();
    });

    test("leaves the page if it has no content yet", async () => {
      const stale = signInAs("regular");
      server.mockImplementation(async () => refused("UNAUTHENTICATED"));
      expect(await refreshSession(stale, true)).toBe("ended");
      expect(getSession()).toBeNull();
      expect(localStorage.getItem(SESSION_KEY)).toBeNull();
      await endSessionOfPage();
      expect(await getAccessToken(true)).toBeNull();
      expect(getSession()).toBeNull();
    });
  });
});
