import { act, screen, waitFor } from "@testing-library/react";
import { Route, Routes } from "react-router-dom";
import { beforeEach, expect, test } from "vitest";
import { mockApi } from "#tests/support/mock-api.ts";
import { createAccessToken, renderWeb, resetSession, signInAs } from "#tests/support/render-web.tsx";
import { Guard } from "#web/platform/route-guard.tsx";
import { getProductIntent, rememberProductIntent, rememberTrialIntent } from "#web/platform/landing.ts";
import { paths } from "#web/platform/paths.ts";
import { routes } from "#web/app/routes.ts";
import ConfirmEmailPage from "#web/access/accounts/confirm-email.tsx";
import SubscribeLinkPage from "#web/billing/subscriptions/subscribe-link-page.tsx";

beforeEach(resetSession);

const getAccess = (pattern: string) => {
  const entry = routes.find(({ path }) => path.pattern === pattern);
  if (!entry) throw new Error(pattern);
  return entry.access;
};

function open(at: string) {
  const { pattern } = paths.manageSubscriptionTo;
  return renderWeb(
    <Routes>
      <Route path={pattern} element={<Guard access={getAccess(pattern)}>the form</Guard>} />
      <Route path={paths.subscribeLink.pattern} element={<SubscribeLinkPage />} />
      <Route path={paths.login.pattern} element={<Guard access={getAccess(paths.login.pattern)}>sign-in</Guard>} />
      <Route path={paths.confirmEmail.pattern} element={<ConfirmEmailPage />} />
      <Route path="*" element="elsewhere" />
    </Routes>,
    { at },
  );
}

test("remembers a visitor's product and opens it after sign-in instead of the trial or the return URL", () => {
  const { place } = open("/manage-subscription/xer-plus-yearly/");
  expect(getProductIntent()).toBe("xer-plus-yearly");
  expect(place()).toMatch(/^\/login\//);
  rememberTrialIntent();
  act(() => void signInAs("regular"));
  expect(place()).toBe("/manage-subscription/xer-plus-yearly/");
});

test("opens the remembered product after the email is confirmed", async () => {
  rememberProductIntent("xer-professional");
  mockApi({
    ConfirmEmail: {
      confirmEmail: {
        session: { accessToken: createAccessToken(), refreshToken: "r", expiresIn: 600 },
        secondStep: null,
      },
    },
  });
  const { place } = open("/confirm-email/?t=secret");
  await waitFor(() => expect(place()).toBe("/manage-subscription/xer-professional/"));
});

test.each([
  ["corporate", "/"],
  ["admin", "/admin/"],
] as const)("redirects %s users from the billing pages", (role, target) => {
  signInAs(role);
  expect(open("/manage-subscription/xer-professional/").place()).toBe(target);
  for (const pattern of [paths.manageSubscription, paths.managePaymentDetails, paths.changeSubscription])
    expect(getAccess(pattern.pattern)).toMatchObject({ kind: "private", elsewhere: { [role]: target } });
});

test("ignores the remembered product when a corporate user signs in", () => {
  rememberProductIntent("xer-professional");
  const { place } = open("/login/");
  act(() => void signInAs("corporate"));
  expect(place()).toBe("/my-account/");
});

test("redirects the product's subscribe link to the form", () => {
  signInAs("regular");
  expect(open("/product/subscribe/xer-professional/").place()).toBe("/manage-subscription/xer-professional/");
  expect(screen.getByText("the form")).toBeTruthy();
});
