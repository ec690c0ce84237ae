import { act, renderHook } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { accessTokenOf, changeFromOtherTab, signedOut, signInAs } from "#tests/support/render-web.tsx";
import { currentSession, readClaims, removeSession, SESSION_KEY, useSession } from "#web/platform/session.ts";

beforeEach(signedOut);

test("signing in stores the session under one key and names the user", () => {
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

test("the session is the same object until it changes, so React has nothing to do", () => {
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
])("a storage that holds %j counts as signed out", (stored) => {
  localStorage.setItem(SESSION_KEY, stored);
  expect(currentSession()).toBeNull();
});

test("a token of an unknown role is no session", () => {
  expect(readClaims(accessTokenOf({ role: "owner" as never }))).toBeNull();
});

test("components follow sign-in and sign-out of this tab", () => {
  const { result } = renderHook(useSession);
  expect(result.current).toBeNull();
  act(() => void signInAs("regular"));
  expect(result.current?.claims.role).toBe("regular");
  act(removeSession);
  expect(result.current).toBeNull();
});

test("components follow what another tab does", () => {
  signInAs("regular");
  const { result } = renderHook(useSession);
  act(() => changeFromOtherTab(null));
  expect(result.current).toBeNull();
  const stored = { accessToken: accessTokenOf({ role: "admin" }), refreshToken: "r", expiresAt: Date.now() + 1_000 };
  act(() => changeFromOtherTab(JSON.stringify(stored)));
  expect(result.current?.claims.role).toBe("admin");
});
