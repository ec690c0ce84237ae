import { act, renderHook } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { createAccessToken, simulateOtherTab, resetSession, signInAs } from "#tests/support/render-web.tsx";
import { getSession, parseClaims, removeSession, SESSION_KEY, useSession } from "#web/platform/session.ts";

beforeEach(resetSession);

test("stores the session under one key with the user's claims", () => {
  signInAs("corporate");
  expect(Object.keys(localStorage)).toEqual([SESSION_KEY]);
  expect(getSession()?.claims).toEqual({
    id: "user-1",
    email: "ada@demo.test",
    givenName: "Ada",
    familyName: "Lövgren",
    role: "corporate",
  });
});

test("returns the same object until the session changes, so React doesn't render again", () => {
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

test("updates components on changes in another tab", () => {
  signInAs("regular");
  const { result } = renderHook(useSession);
  act(() => simulateOtherTab(null));
  expect(result.current).toBeNull();
  const stored = {
    accessToken: createAccessToken({ role: "admin" }),
    refreshToken: "r",
    expiresAt: Date.now() + 1_000,
  };
  act(() => simulateOtherTab(JSON.stringify(stored)));
  expect(result.current?.claims.role).toBe("admin");
});
