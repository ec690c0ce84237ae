import { getPauseDays } from "#schema/days.ts";
import { expect, expectAccessible, expectNoHorizontalScroll, signIn, test } from "#tests/support/browser.ts";
import { startBrowserAddin } from "#tests/support/browser-addin.ts";
import { createCustomer } from "#tests/support/browser-people.ts";

test.afterEach(async ({ page }) => {
  await page.request.post("/dev/clock", { data: { reset: true } });
});

test("pauses a subscription, which stops the add-in, and resumes it", async ({ page }) => {
  const customer = await createCustomer(page);
  await customer.subscribe();
  await signIn(page, customer);
  const emails = await (await page.request.get(`/dev/mail.json?to=${customer.email}`)).json();
  const [code = ""] = emails.flatMap(({ text }: { text: string }) => /(?:[0-9A-Z]{5}-){5}[0-9A-Z]{5}/.exec(text) ?? []);
  const addin = startBrowserAddin(page, "PAUSED-LAPTOP", code);
  const { machineToken } = await addin.callAddin("activate");
  expect((await addin.callAddin("validate", { machineToken })).code).toBe("VALID");

  await page.goto("/manage-subscription/");
  await page.getByRole("button", { name: "Cancel Subscription" }).click();
  const dialog = page.getByRole("dialog", { name: "Cancel Subscription" });
  await dialog.getByRole("button", { name: "Pause instead" }).click();
  await dialog.getByLabel("Pause until").fill(getPauseDays(new Date()).last);
  await expect(dialog.getByText(/your next payment moves to/)).toBeVisible();
  await expect(dialog).toHaveCSS("opacity", "1");
  await expectAccessible(page, "the dialog with a pause");
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoHorizontalScroll(page);
  await dialog.getByRole("button", { name: "Pause Subscription" }).click();
  await expect(page.getByText("Your subscription is paused.")).toBeVisible();
  await expect(page.getByText("Paused until", { exact: true })).toBeVisible();
  expect((await addin.callAddin("validate", { machineToken })).code).toBe("LICENCE_SUSPENDED");
  await page.goto("/my-account/");
  await expect(
    page.getByRole("region", { name: "Subscription" }).getByText(/^Paused until \d+ \w+ \d{4}$/),
  ).toBeVisible();
  await expectAccessible(page, "the overview of a paused subscription");

  await page.goto("/manage-subscription/");
  await page.getByRole("button", { name: "Resume Now" }).click();
  await expect(page.getByText("Your subscription has resumed. Your licence is valid again.")).toBeVisible();
  expect((await addin.callAddin("validate", { machineToken })).code).toBe("VALID");
});
