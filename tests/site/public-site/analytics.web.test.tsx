import { screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { renderWeb, signedOut, signInAs } from "#tests/support/render-web.tsx";
import { AppRoutes, TaggedSite } from "#web/app/router.tsx";
import { setConsent } from "#web/site/analytics/analytics.ts";

const tagId = "G-TEST12345";
const page = window as unknown as { dataLayer?: ArrayLike<unknown>[]; [disabled: string]: unknown };
const loaded = () => [...document.head.querySelectorAll("script")].map(({ src }) => src);
const told = () => (page.dataLayer ?? []).map((words) => Array.from(words));

beforeEach(() => {
  signedOut();
  setConsent(null);
  document.head.innerHTML = `<meta name="analytics-tag" content="${tagId}">`;
});

afterEach(() => {
  document.head.innerHTML = "";
  delete page.dataLayer;
});

test("without a tag nobody is asked and nothing is loaded", async () => {
  document.head.innerHTML = "";
  renderWeb(<AppRoutes />, { at: "/pages/error-403" });
  await screen.findByRole("heading", { level: 1 });
  expect(screen.queryByRole("region", { name: "Analytics" })).toBeNull();
  expect(screen.queryByRole("button", { name: "Analytics Settings" })).toBeNull();
  expect(loaded()).toEqual([]);
});

test("nothing is loaded before a visitor allows it, and then the address is told without query and fragment", async () => {
  const { user } = renderWeb(<TaggedSite />, { at: "/faqs/?query=secret#part" });
  const allow = await screen.findByRole("button", { name: "Allow Analytics" });
  expect(loaded()).toEqual([]);
  expect(page.dataLayer).toBeUndefined();
  await user.click(allow);
  expect(loaded()).toEqual([`https://www.googletagmanager.com/gtag/js?id=${tagId}`]);
  expect(told()[0]).toEqual(["set", { page_location: "http://localhost:3000/faqs/", page_referrer: "" }]);
  expect(told()).toContainEqual(["config", tagId, { send_page_view: false }]);
  expect(JSON.stringify(told())).not.toContain("secret");
  expect(told().at(-1)).toEqual([
    "event",
    "page_view",
    { page_location: "http://localhost:3000/faqs/", page_referrer: "" },
  ]);
  expect(screen.queryByRole("region", { name: "Analytics" })).toBeNull();
});

test("a refusal is kept and loads nothing, and the footer asks again", async () => {
  const { user, unmount } = renderWeb(<AppRoutes />, { at: "/pages/error-403" });
  await user.click(await screen.findByRole("button", { name: "No, Thank You" }));
  unmount();
  renderWeb(<AppRoutes />, { at: "/pages/error-403" });
  const again = await screen.findByRole("button", { name: "Analytics Settings" });
  expect(screen.queryByRole("region", { name: "Analytics" })).toBeNull();
  expect(loaded()).toEqual([]);
  await user.click(again);
  expect(await screen.findByRole("region", { name: "Analytics" })).toBeTruthy();
});

test("the signed-in are neither asked nor counted, also when they agreed before", async () => {
  setConsent("granted");
  signInAs("regular");
  renderWeb(<TaggedSite />, { at: "/faqs/" });
  await expect.poll(() => page[`ga-disable-${tagId}`]).toBe(true);
  expect(loaded()).toEqual([]);
});

test("on pages whose address holds a token or an id, nothing is loaded or told, also for those who agreed", async () => {
  setConsent("granted");
  for (const at of [
    "/email-confirmation/0198c5a2-0000-7000-8000-000000000000/",
    "/reset-password/?token=SECRET",
    "/no/page",
  ]) {
    const { unmount } = renderWeb(<TaggedSite />, { at });
    await expect.poll(() => page[`ga-disable-${tagId}`]).toBe(true);
    expect(loaded()).toEqual([]);
    expect(page.dataLayer).toBeUndefined();
    unmount();
    delete page[`ga-disable-${tagId}`];
  }
});
