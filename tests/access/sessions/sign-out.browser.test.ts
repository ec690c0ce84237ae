import { expect, signInAsDemo, test } from "#tests/support/browser.ts";

test("shows no private data after signing out and going back, and discards drafts", async ({ page }) => {
  await signInAsDemo(page, "corporate", "/contact-us/");
  await expect(page.getByLabel("Phone Number")).not.toHaveValue("");
  await page.getByLabel("Message").fill("Private words");
  await page.goto("/my-account/");
  await expect(page.getByRole("main").getByText("corporate@demo.test")).toBeVisible();
  await page.goto("/sessions/");
  await expect(page.getByText("This session")).toBeVisible();
  await page.goto("/logout/");
  await expect(page).toHaveURL("/");

  for (let steps = 0; steps < 3; steps++) {
    await page.goBack();
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    for (const words of ["corporate@demo.test", "This session", "Private words"])
      await expect(page.getByText(words)).toHaveCount(0);
  }
  await page.goto("/contact-us/");
  await expect(page.getByLabel("Message")).toHaveValue("");
  await expect(page.getByLabel("Email", { exact: true })).toHaveValue("");
  expect(
    await page.evaluate(() => [...Object.values(localStorage), ...Object.values(sessionStorage)].join()),
  ).not.toMatch(/Private|corporate@|eyJ/);
});
