import { act, screen } from "@testing-library/react";
import { Route, Routes } from "react-router-dom";
import { beforeEach, expect, test } from "vitest";
import { simulateOtherTab, renderWeb, resetSession, signInAs } from "#tests/support/render-web.tsx";
import type { Access } from "#web/platform/route-entry.ts";
import { Guard } from "#web/platform/route-guard.tsx";
import { NEEDS_ACCOUNT, rememberTrialIntent } from "#web/platform/landing.ts";

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

test("sends a visitor who pressed a trial button to registration", () => {
  expect(open({ kind: "private" }, `/try-xer/?${NEEDS_ACCOUNT}`).place()).toBe("/register/?for=trial");
});

test("opens a private page for signed-in users, but redirects those for whom it names another one", () => {
  signInAs("regular");
  const access = { kind: "private", elsewhere: { corporate: "/" } } as const;
  const { unmount } = open(access, "/try-xer/");
  expect(screen.getByText("the page")).toBeTruthy();
  unmount();
  signInAs("corporate");
  expect(open(access, "/try-xer/").place()).toBe("/");
});

test("closes a private page after the user signs out in another tab", () => {
  signInAs("regular");
  const { place } = open({ kind: "private" }, "/my-account/");
  act(() => simulateOtherTab(null));
  expect(screen.queryByText("the page")).toBeNull();
  expect(place()).toMatch(/^\/login\//);
});

test("redirects a signed-in user from sign-in to where they came from, or else home or the page it names", () => {
  signInAs("regular");
  const home = { kind: "signed-out" } as const;
  for (const [access, at, target] of [
    [home, "/login/?returnUrl=%2Fmy-account%2F", "/my-account/"],
    [home, { pathname: "/login/", state: { from: "/faqs/" } }, "/faqs/"],
    [home, "/login/", "/"],
    [home, "/login/?returnUrl=%2F%2Fevil.example", "/"],
    [{ ...home, otherwise: "/my-account/" }, "/confirm-email/?t=1", "/my-account/"],
  ] as const) {
    const { place, unmount } = open(access, at);
    expect([at, place()]).toEqual([at, target]);
    unmount();
  }
});

test("opens the account, the return target or a remembered trial after sign-in", () => {
  const devices = "/manage-activated-devices/1/2";
  for (const [role, at, target, wantsTrial] of [
    ["regular", "/login/", "/my-account/", false],
    ["regular", `/login/?returnUrl=${encodeURIComponent(devices)}`, devices, false],
    ["regular", "/login/?returnUrl=%2Fmy-account%2F", "/try-xer/", true],
    // Corporate users can't have a trial.
    ["corporate", "/login/", "/my-account/", true],
  ] as const) {
    resetSession();
    if (wantsTrial) rememberTrialIntent();
    const { place, unmount } = open({ kind: "signed-out", otherwise: "/elsewhere" }, at);
    expect(screen.getByText("the page")).toBeTruthy();
    act(() => void signInAs(role));
    expect([at, place()]).toEqual([at, target]);
    unmount();
  }
});
