import { waitFor } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { mockApi } from "#tests/support/mock-api.ts";
import { renderWeb, resetSession, signInAs } from "#tests/support/render-web.tsx";
import { rememberTrialIntent } from "#web/platform/landing.ts";
import { getSession } from "#web/platform/session.ts";
import LogoutPage from "#web/pages/public/logout.tsx";

beforeEach(resetSession);

test("ends the session on the server, clears the storage and opens the home page", async () => {
  const token = signInAs("regular");
  rememberTrialIntent();
  localStorage.setItem("mantine-color-scheme-value", "dark");
  sessionStorage.setItem("xer-portal.draft.contact-us.user-1", '{"message":"Dear support"}');
  const requests = mockApi({ SignOut: { signOut: true } });
  const { place } = renderWeb(<LogoutPage />, { at: "/logout/" });
  await waitFor(() => expect(place()).toBe("/"));
  expect(requests).toMatchObject([{ operation: "SignOut", token: `Bearer ${token}` }]);
  expect(getSession()).toBeNull();
  expect(Object.entries(localStorage)).toEqual([["mantine-color-scheme-value", "dark"]]);
  expect(Object.keys(sessionStorage)).toEqual([]);
});

test("signs the user out in the browser if the server doesn't respond", async () => {
  signInAs("regular");
  mockApi({});
  const { place } = renderWeb(<LogoutPage />, { at: "/logout/" });
  await waitFor(() => expect(place()).toBe("/"));
  expect(getSession()).toBeNull();
});
