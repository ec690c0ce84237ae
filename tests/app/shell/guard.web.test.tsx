import { act, screen } from "@testing-library/react";
import { Route, Routes } from "react-router-dom";
import { beforeEach, expect, test } from "vitest";
import { simulateOtherTab, renderWeb, resetSession, signInAs } from "#tests/support/render-web.tsx";
import type { Access } from "#web/platform/route-entry.ts";
import { Guard } from "#web/platform/route-guard.tsx";
import { rememberTrialIntent } from "#web/platform/landing.ts";

beforeEach(resetSession);

function open(access: Access, at: string | { pathname: string; state: unknown }) {
  const path = new URL(typeof at === "string" ? at : at.pathname, window.location.origin).pathname;
  return renderWeb(
    <Routes>
      <Route path={path} element={<Guard access={access}>the page</Guard>} />
      <Route path="*" element="elsewhere" />
    </Routes>,
    { at },
  );
}

test("sends a visitor of a private page to sign-in with the whole URL to return to", () => {
  const rememberedBy: string[] = [];
  const { place } = open({ kind: "private", signedOut: () => rememberedBy.push("intent") }, "/my-account/?a=1#b");
  expect(place()).toBe(`/login/?returnUrl=${encodeURIComponent("/my-account/?a=1#b")}`);
  expect(rememberedBy).toContain("intent");
});

test("opens a private page for a signed-in user", () => {
  signInAs("regular");
  open({ kind: "private" }, "/my-account/");
  expect(screen.getByText("the page")).toBeTruthy();
});

test("redirects a role for which the page names another page", () => {
  signInAs("corporate");
  expect(open({ kind: "private", elsewhere: { corporate: "/" } }, "/try-xer/").place()).toBe("/");
});

test("closes a private page after the user signs out in another tab", () => {
  signInAs("regular");
  const { place } = open({ kind: "private" }, "/my-account/");
  act(() => simulateOtherTab(null));
  expect(screen.queryByText("the page")).toBeNull();
  expect(place()).toMatch(/^\/login\//);
});

test.each([
  ["the return target", "/login/?returnUrl=%2Fmy-account%2F", "/my-account/"],
  ["the page they came from", { pathname: "/login/", state: { from: "/faqs/" } }, "/faqs/"],
  ["home by default", "/login/", "/"],
  ["home instead of another site", "/login/?returnUrl=%2F%2Fevil.example", "/"],
])("redirects a signed-in user from sign-in to %s", (_, at, target) => {
  signInAs("regular");
  expect(open({ kind: "signed-out" }, at).place()).toBe(target);
});

test("redirects a signed-in user from a confirmation page to the account", () => {
  signInAs("regular");
  expect(open({ kind: "signed-out", otherwise: "/my-account/" }, "/confirm-email/?t=1").place()).toBe("/my-account/");
});

test.each([
  ["the account", "/login/", "/my-account/", false],
  [
    "the return target",
    "/login/?returnUrl=%2Fmanage-activated-devices%2F1%2F2",
    "/manage-activated-devices/1/2",
    false,
  ],
  ["the remembered trial first", "/login/?returnUrl=%2Fmy-account%2F", "/try-xer/", true],
])("opens %s after sign-in", (_, at, target, trialWanted) => {
  if (trialWanted) rememberTrialIntent();
  const { place } = open({ kind: "signed-out", otherwise: "/elsewhere" }, at);
  expect(screen.getByText("the page")).toBeTruthy();
  act(() => void signInAs("regular"));
  expect(place()).toBe(target);
});

test("doesn't open the trial page after a corporate user signs in, because they can't have a trial", () => {
  rememberTrialIntent();
  const { place } = open({ kind: "signed-out" }, "/login/");
  act(() => void signInAs("corporate"));
  expect(place()).toBe("/my-account/");
});
