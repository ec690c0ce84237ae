import { waitFor } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { playApi } from "#tests/support/play-api.ts";
import { renderWeb, signedOut, signInAs } from "#tests/support/render-web.tsx";
import { rememberTrialIntent } from "#web/platform/landing.ts";
import { currentSession } from "#web/platform/session.ts";
import LogoutPage from "#web/pages/public/logout.tsx";

beforeEach(signedOut);

test("logging out ends the session on the server, empties the storage and goes home", async () => {
  const token = signInAs("regular");
  rememberTrialIntent();
  localStorage.setItem("mantine-color-scheme-value", "dark");
  sessionStorage.setItem("xer-portal.draft.contact-us.user-1", '{"message":"Dear support"}');
  const asked = playApi({ SignOut: { signOut: true } });
  const { place } = renderWeb(<LogoutPage />, { at: "/logout/" });
  await waitFor(() => expect(place()).toBe("/"));
  expect(asked).toMatchObject([{ operation: "SignOut", token: `Bearer ${token}` }]);
  expect(currentSession()).toBeNull();
  expect(Object.entries(localStorage)).toEqual([["mantine-color-scheme-value", "dark"]]);
  expect(Object.keys(sessionStorage)).toEqual([]);
});

test("without an answer of the server the person is signed out here all the same", async () => {
  signInAs("regular");
  playApi({});
  const { place } = renderWeb(<LogoutPage />, { at: "/logout/" });
  await waitFor(() => expect(place()).toBe("/"));
  expect(currentSession()).toBeNull();
});
