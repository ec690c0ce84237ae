import type { Page } from "@playwright/test";
import { expect, expectAccessibleInDark, expectNoHorizontalScroll, signIn, test } from "#tests/support/browser.ts";
import { createCustomer, createStaff, findUserId } from "#tests/support/browser-people.ts";

test.use({ viewport: { width: 390, height: 844 }, colorScheme: "dark" });

/** Opens each page and asserts that it is accessible in the dark and fits phones. */
async function expectReadable(page: Page, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 }), path).toBeVisible();
    await expect(page.getByRole("progressbar"), path).toHaveCount(0);
    await expectNoHorizontalScroll(page);
    await expectAccessibleInDark(page, path);
    await page.setViewportSize({ width: 320, height: 640 });
    await expectNoHorizontalScroll(page);
  }
}

// tests/ui/accessible-screens.browser.test.ts checks every other page (`npm run test:all`).
test("a visitor and a customer read the site and the account in the dark on a phone", async ({ page }) => {
  await expectReadable(page, ["/", "/register/"]);
  const customer = await createCustomer(page);
  await customer.subscribe();
  await signIn(page, customer);
  await expectReadable(page, ["/my-account/", "/change-subscription/"]);
});

test("staff read lists, a user and figures in the dark on a phone", { tag: "@long" }, async ({ page }) => {
  const customer = await createCustomer(page);
  await customer.subscribe();
  const id = await findUserId(page, customer.email);
  await signIn(page, await createStaff(page, "owner"));
  const user = `/admin/update-user/${id}/`;
  await expectReadable(page, ["/admin/manage-users/", user, `${user}?tab=billing`, "/admin/dashboard/"]);
});
