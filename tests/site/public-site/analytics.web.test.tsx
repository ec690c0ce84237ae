import { screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { mockApi } from "#tests/support/mock-api.ts";
import { renderWeb, resetSession, signInAs } from "#tests/support/render-web.tsx";
import { signOut } from "#web/access/sessions/sign-out.ts";
import { AppRoutes, Analytics } from "#web/app/router.tsx";
import { setConsent } from "#web/site/analytics/analytics.ts";

const tagId = "G-TEST12345";
const page = window as unknown as { dataLayer?: ArrayLike<unknown>[]; [disabled: string]: unknown };
const loaded = () => [...document.head.querySelectorAll("script")].map(({ src }) => src);
const sentCommands = () => (page.dataLayer ?? []).map((command) => Array.from(command));

beforeEach(() => {
  resetSession();
  setConsent(null);
  document.head.innerHTML = `<meta name="analytics-tag" content="${tagId}">`;
});

afterEach(() => {
  document.head.innerHTML = "";
  delete page.dataLayer;
});

test("requests no consent and loads nothing without a tag", async () => {
  document.head.innerHTML = "";
  renderWeb(<AppRoutes />, { at: "/pages/error-403" });
  await screen.findByRole("heading", { level: 1 });
  expect(screen.queryByRole("region", { name: "Analytics" })).toBeNull();
  expect(screen.queryByRole("button", { name: "Analytics settings" })).toBeNull();
  expect(loaded()).toEqual([]);
});

test("loads nothing before consent, then sends the URL without its query and fragment", async () => {
  const { user } = renderWeb(<Analytics />, { at: "/faqs/?query=secret#part" });
  const allow = await screen.findByRole("button", { name: "Allow analytics" });
  expect(loaded()).toEqual([]);
  expect(page.dataLayer).toBeUndefined();
  await user.click(allow);
  expect(loaded()).toEqual([`https://www.googletagmanager.com/gtag/js?id=${tagId}`]);
  expect(sentCommands()[0]).toEqual(["set", { page_location: "http://localhost:3000/faqs/", page_referrer: "" }]);
  expect(sentCommands()).toContainEqual(["config", tagId, { send_page_view: false }]);
  expect(JSON.stringify(sentCommands())).not.toContain("secret");
  expect(sentCommands().at(-1)).toEqual([
    "event",
    "page_view",
    { page_location: "http://localhost:3000/faqs/", page_referrer: "" },
  ]);
  expect(screen.queryByRole("region", { name: "Analytics" })).toBeNull();
});

test("remembers a refusal, also after signing out, and lets visitors change it in the footer", async () => {
  const { user, unmount } = renderWeb(<AppRoutes />, { at: "/pages/error-403" });
  await user.click(await screen.findByRole("button", { name: "No, thanks" }));
  // The pressed button has disappeared.
  expect(document.activeElement).toBe(screen.getByRole("main"));
  unmount();
  signInAs("regular");
  mockApi({ SignOut: { signOut: { __typename: "DeletedObject", id: "1" } } });
  await signOut();
  renderWeb(<AppRoutes />, { at: "/pages/error-403" });
  const again = await screen.findByRole("button", { name: "Analytics settings" });
  expect(screen.queryByRole("region", { name: "Analytics" })).toBeNull();
  expect(loaded()).toEqual([]);
  await user.click(again);
  expect(await screen.findByRole("region", { name: "Analytics" })).toBeTruthy();
});

test("deletes the cookies of the tag when a visitor refuses, and no others", () => {
  for (const name of ["_ga", "_ga_TEST12345", "kept"]) document.cookie = `${name}=1; Path=/`;
  setConsent("refused");
  expect(document.cookie).toBe("kept=1");
  document.cookie = "kept=; Max-Age=0; Path=/";
});

test("loads and sends nothing on pages with a token or ID in the URL, or for signed-in users, even after consent", async () => {
  setConsent("granted");
  const confirmation = "/email-confirmation/0198c5a2-0000-7000-8000-000000000000/";
  for (const at of [confirmation, "/reset-password/?token=SECRET", "/no/page"]) {
    const { unmount } = renderWeb(<Analytics />, { at });
    await expect.poll(() => page[`ga-disable-${tagId}`]).toBe(true);
    expect(loaded()).toEqual([]);
    expect(page.dataLayer).toBeUndefined();
    unmount();
    delete page[`ga-disable-${tagId}`];
  }
  // Signed-in users aren't counted on any page.
  signInAs("regular");
  renderWeb(<Analytics />, { at: "/faqs/" });
  await expect.poll(() => page[`ga-disable-${tagId}`]).toBe(true);
  expect(loaded()).toEqual([]);
});
