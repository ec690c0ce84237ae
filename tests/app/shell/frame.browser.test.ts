import type { Page } from "@playwright/test";
import { demoAccount, expect, signIn, signInAsDemo, test } from "#tests/support/browser.ts";

/** Holds back the page's scripts, as a slow line would. The result lets them load. */
async function holdScripts(page: Page): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await held.promise;
    await route.continue();
  });
  return () => held.resolve();
}

/** What the elements of a page look like, one a line. */
const readLooks = (page: Page, selector: string) =>
  page.evaluate((which) => {
    const properties =
      "display color backgroundColor fontSize fontWeight lineHeight fontFamily padding margin borderTopWidth borderTopColor borderRadius gap width height textDecorationLine".split(
        " ",
      );
    return [...document.querySelectorAll(which)].map((element) => {
      const style = getComputedStyle(element) as unknown as Record<string, string>;
      // Mantine's styles have the ids of React, which differ.
      const text = element.querySelector("style") ? "" : element.textContent?.trim().slice(0, 30);
      const name = `${element.localName} ${text}`;
      return `${name}: ${properties.map((property) => style[property]).join("; ")}`;
    });
  }, selector);

/** Waits for the page's data and fonts. */
async function waitForPage(page: Page): Promise<void> {
  await page.locator("html[data-page-ready]").waitFor({ state: "attached" });
  await expect(page.locator("progress, button[data-loading]")).toHaveCount(0);
  await page.evaluate(async () => {
    await (window as { fontsHere?: Promise<void> }).fontsHere;
    await document.fonts.ready;
  });
}

const controls = "#root :is(header, nav, footer, a, button):not(main *, dialog *, [href='#main'])";

for (const scheme of ["light", "dark"] as const)
  test(`replaces the ${scheme} frame without changing its looks`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme });
    for (const [account, path, nav, heading] of [
      ["ada", "/my-account/", "Account", "My Account"],
      ["admin", "/admin/", "Admin", "Admin"],
    ] as const) {
      await signInAsDemo(page, account, path);
      // Afterwards the fonts are there from the start.
      await waitForPage(page);
      const release = await holdScripts(page);
      await page.reload({ waitUntil: "commit" });
      await expect(page.getByRole("navigation", { name: nav })).toBeVisible();
      await expect(page.getByRole("heading", { level: 1, name: heading })).toBeVisible();
      await page.evaluate(async () => document.fonts.ready);
      const before = await readLooks(page, controls);
      release();
      await waitForPage(page);
      await expect.poll(() => readLooks(page, controls), path).toEqual(before);
      await page.unrouteAll();
    }
  });

for (const scheme of ["light", "dark"] as const)
  test(`looks the same in ${scheme} colours when opened cold and by a link`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    for (const [account, from, link, path, heading] of [
      ["ada", "/my-account/", "Licences", "/licences/", "Licences"],
      ["ada", "/tax-invoices/", "Profile", "/update-profile/", "Update profile"],
      ["admin", "/admin/", "Users", "/admin/manage-users/", "Manage Users"],
    ] as const) {
      await signInAsDemo(page, account, from);
      await page.getByRole("navigation").getByRole("link", { name: link, exact: true }).first().click();
      await page.waitForURL(`**${path}`);
      await page.getByRole("heading", { level: 1, name: heading }).waitFor();
      await waitForPage(page);
      // The menu of saved views loads after the list.
      await expect(page.getByRole("button", { name: "Views", disabled: true })).toHaveCount(0);
      await page.mouse.move(0, 0);
      const everything = "#root *:not(style):not(time):not(h1)";
      const reached = await readLooks(page, everything);
      await page.reload();
      await waitForPage(page);
      await expect.poll(() => readLooks(page, everything), path).toEqual(reached);
    }
  });

test("shows each user the frame of their role, and visitors none", async ({ page }) => {
  const release = await holdScripts(page);
  const links = page.getByRole("navigation", { name: /^(Account|Admin)$/ }).getByRole("link");
  await signIn(page, demoAccount("corporate"));
  await page.goto("/licences/", { waitUntil: "commit" });
  await expect(links.filter({ hasText: "Licences" })).toBeVisible();
  await expect(links.filter({ hasText: "Billing" })).toHaveCount(0);
  await signIn(page, demoAccount("admin"));
  await page.goto("/admin/manage-users/", { waitUntil: "commit" });
  await expect(links.filter({ hasText: "Promo Codes" })).toBeVisible();
  // An admin is redirected from this page, so it has no frame for them.
  await page.goto("/my-account/", { waitUntil: "commit" });
  await page.locator("head > script[type=module]").waitFor({ state: "attached" });
  await expect(page.locator("#root > *")).toHaveCount(0);
  await page.evaluate(() => localStorage.clear());
  await page.goto("/my-account/", { waitUntil: "commit" });
  await page.locator("head > script[type=module]").waitFor({ state: "attached" });
  await expect(page.locator("#root > *")).toHaveCount(0);
  release();
  await expect(page).toHaveURL(/\/login\/\?returnUrl=%2Fmy-account%2F$/);
});

test("hides links from staff without the role", async ({ page }) => {
  const release = await holdScripts(page);
  await signIn(page, demoAccount("admin"));
  const encode = (text: string) => Buffer.from(text).toString("base64url");
  const claims = encode(
    JSON.stringify({ rol: "admin", given_name: "Zoë", family_name: "Ø", staff_roles: ["release"] }),
  );
  await page.evaluate((token) => {
    localStorage.setItem("xer-portal.session", JSON.stringify({ accessToken: token }));
  }, `x.${claims}.x`);
  await page.goto("/admin/manage-software/", { waitUntil: "commit" });
  const links = page.getByRole("navigation", { name: "Admin" }).getByRole("link");
  await expect(links.filter({ hasText: "Software" })).toBeVisible();
  await expect(links.filter({ hasText: "Users" })).toHaveCount(0);
  await expect(page.locator("[data-initials]")).toHaveText("ZØ");
  release();
});

test("keeps the focus and a button pressed in the frame", async ({ page }) => {
  await signInAsDemo(page, "ada", "/my-account/");
  await waitForPage(page);
  const release = await holdScripts(page);
  await page.reload({ waitUntil: "commit" });
  await page.getByRole("button", { name: "My Account" }).click();
  await page.getByRole("link", { name: "Billing" }).focus();
  release();
  await expect(page.getByRole("link", { name: "View My Account" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Billing", exact: true })).toBeFocused();
});
