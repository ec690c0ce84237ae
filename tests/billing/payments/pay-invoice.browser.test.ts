import { expect, expectAccessible, expectNoHorizontalScroll, signInAsDemo, test } from "#tests/support/browser.ts";

test("pays an open invoice by card after a declined card", async ({ page }) => {
  await signInAsDemo(page, "corporate", "/tax-invoices/");
  const invoices = page.getByRole("region", { name: /^Invoice \d+$/ });
  const name = await invoices.first().getAttribute("aria-label");
  const card = page.getByRole("region", { name: name ?? "", exact: true });
  await card.getByRole("button", { name: /^Pay \d+$/ }).click();
  const dialog = page.getByRole("dialog", { name: /^Pay invoice \d+$/ });
  await expect(dialog.getByText(/is charged to your card now/)).toBeVisible();
  const fill = async (number: string) => {
    await dialog.getByLabel("Card Number").fill(number);
    await dialog.getByLabel("Expiry Date").fill("12/34");
    await dialog.getByLabel("CVC").fill("123");
    await dialog.getByRole("button", { name: /^Pay A\$/ }).click();
  };
  await fill("4000 0000 0000 0002");
  await expect(dialog.getByText(/^Your card was declined/)).toBeVisible();
  await expect(dialog).toHaveCSS("opacity", "1");
  await expectAccessible(page, "the dialog to pay an invoice");
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoHorizontalScroll(page);
  await fill("4242 4242 4242 4242");
  await expect(page.getByText(/^Thank you\. Your payment of A\$/)).toBeVisible();
  await expect(card).toBeHidden();
});
