import { act, renderHook } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { accessTokenOf, changeFromOtherTab, signedOut, signInAs } from "#tests/support/render-web.tsx";
import { currentSession, readClaims, removeSession, SESSION_KEY, useSession } from "#web/platform/session.ts";

beforeEach(signedOut);

test("stores the session under one key with the user's claims", () => {
  signInAs("corporate");
  expect(Object.keys(localStorage)).toEqual([SESSION_KEY]);
  expect(currentSession()?.claims).toEqual({
    id: "user-1",
    email: "ada@demo.test",
    givenName: "Ada",
    familyName: "Lövgren",
    role: "corporate",
  });
});

test("returns the same object until the session changes, so React doesn't render again", () => {
  signInAs("regular");
  expect(currentSession()).toBe(currentSession());
});

test.each([
  "",
  "null",
  "[]",
  "{}",
  '{"accessToken":1}',
  '{"accessToken":"a.b.c","refreshToken":"r","expiresAt":1}',
  "{",
])("treats %j in storage as signed out", (stored) => {
  localStorage.setItem(SESSION_KEY, stored);
  expect(currentSession()).toBeNull();
});

test("rejects a token with an unknown role", () => {
  expect(readClaims(accessTokenOf({ role: "owner" as never }))).toBeNull();
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
  act(() => changeFromOtherTab(null));
  expect(result.current).toBeNull();
  const stored = { accessToken: accessTokenOf({ role: "admin" }), refreshToken: "r", expiresAt: Date.now() + 1_000 };
  act(() => changeFromOtherTab(JSON.stringify(stored)));
  expect(result.current?.claims.role).toBe("admin");
});
