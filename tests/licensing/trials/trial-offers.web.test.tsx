import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { renderWeb, resetSession, signInAs } from "#tests/support/render-web.tsx";
import { ActionLink, CallToAction } from "#web/licensing/trials/call-to-action.tsx";
import { PromoBox } from "#web/licensing/trials/promo-box.tsx";
import { clearTrialStatus } from "#web/licensing/trials/trial-status.ts";
import { textWithTimes } from "#tests/support/text-with-times.ts";

const offer = { label: "Trial Professional Now for Free", to: "/trial-xer/" };

/** Renders the components that offer a trial: a button, the call to action of a page, and the box of the trial page. */
function openOffers() {
  return renderWeb(
    <>
      <ActionLink link={offer} />
      <CallToAction title="Convert your first plan" text="Free for 14 days." link={offer} />
      <PromoBox
        title="Start now"
        text="Register first."
        points={["No card"]}
        action={{ ...offer, to: "/try-xer/" }}
        note="One each."
      />
    </>,
  );
}

const fetched = vi.fn<(url: string, init: RequestInit) => Promise<Response>>();

/** Sets the response to the request for the trial status. */
function mockTrialStatus(changes: object): void {
  const licence = { id: "1", expiresAt: "2027-03-09T04:05:00.000Z", usageLimit: 20, usageRemaining: 17 };
  const trialEligibility = {
    hasCompletedTrial: false,
    hasActiveSubscription: false,
    daysLeft: null,
    licence,
    ...changes,
  };
  fetched.mockImplementation(async () => Response.json({ data: { trialEligibility } }));
}

beforeEach(() => {
  resetSession();
  clearTrialStatus();
  fetched.mockReset();
  vi.stubGlobal("fetch", fetched);
});

const findOffers = () => screen.queryAllByRole("link", { name: offer.label });

test("trial offers are shown to visitors without a request to the server", async () => {
  openOffers();
  expect(findOffers()).toHaveLength(3);
  expect(fetched).not.toHaveBeenCalled();
});

test("trial offers are shown to customers who can start a trial", async () => {
  mockTrialStatus({});
  signInAs("regular");
  openOffers();
  await waitFor(() => expect(fetched).toHaveBeenCalledOnce());
  expect(findOffers()).toHaveLength(3);
});

test("trial offers are replaced by the days left during a trial", async () => {
  mockTrialStatus({ hasCompletedTrial: true, daysLeft: 12 });
  signInAs("regular");
  openOffers();
  const link = await screen.findByRole("link", { name: "Your trial: 12 days left" });
  expect(link.getAttribute("href")).toBe("/my-account/");
  expect(findOffers()).toHaveLength(0);
  expect(await screen.findByRole("heading", { name: "Your trial is running" })).toBeTruthy();
  expect(
    screen.getByText(textWithTimes(/^12 days left, until 9 Mar 2027, 12:05 pm AWST\. 17 of 20 conversions left\./)),
  ).toBeTruthy();
  expect(screen.queryByRole("region", { name: "Convert your first plan" })).toBeNull();
});

test.each([
  ["after the trial", { hasCompletedTrial: true }, "Your trial has ended", "/manage-subscription/", /longer trial/],
  // A retiring plan doesn't include everything in the trial, so the box doesn't say so.
  ["with a subscription", { hasActiveSubscription: true }, "You have a subscription", "/my-account/", /without one/],
])("trial offers are hidden %s", async (_, changes, title, href, words) => {
  mockTrialStatus(changes);
  signInAs("regular");
  openOffers();
  const box = await screen.findByRole("region", { name: title });
  expect(box.querySelector("a")?.getAttribute("href")).toBe(href);
  expect(box.textContent).toMatch(words);
  expect(findOffers()).toHaveLength(0);
});

test("trial offers stay visible while the server can't be reached", async () => {
  fetched.mockRejectedValue(new TypeError("Failed to fetch"));
  signInAs("regular");
  openOffers();
  await waitFor(() => expect(fetched).toHaveBeenCalled());
  expect(findOffers()).toHaveLength(3);
});
