import { expect, expectAccessible, expectNoHorizontalScroll, signInAsDemo, test } from "#tests/support/browser.ts";

test("signs out another browser's session on its next request", async ({ page, browser }) => {
  const elsewhere = await (await browser.newContext()).newPage();
  await signInAsDemo(elsewhere, "corporate");
  await signInAsDemo(page, "corporate");
  await page.getByRole("button", { name: "My Account" }).click();
  await page.getByRole("banner").getByRole("link", { name: "Active sessions" }).click();
  await expect(page.getByText("This session")).toBeVisible();
  await expectAccessible(page, "the sessions");
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoHorizontalScroll(page);

  await page.getByRole("button", { name: "End other sessions" }).click();
  await page.getByRole("button", { name: "Yes" }).click();
  await expect(page.getByText("You are only signed in here.")).toBeVisible();
  await elsewhere.goto("/my-account/");
  await expect(elsewhere).toHaveURL("/login/?returnUrl=%2Fmy-account%2F");
  await page.reload();
  await expect(page.getByText("You are only signed in here.")).toBeVisible();
});

test("downloads a customer's data and requires the password before deleting the account", async ({ page }) => {
  await signInAsDemo(page, "corporate", "/your-data/");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download my data" }).click();
  expect((await download).suggestedFilename()).toBe("my-data.json");
  await page.getByRole("button", { name: "Delete my account" }).click();
  await page.getByRole("button", { name: "Yes" }).click();
  await expect(page.getByText("Password is required.")).toBeVisible();
  await expectAccessible(page, "deleting the account");
});
