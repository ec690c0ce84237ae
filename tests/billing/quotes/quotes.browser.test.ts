import { expect, expectAccessible, findEmailedLink, signIn, test } from "#tests/support/browser.ts";
import { createCorporateCustomer, createStaff } from "#tests/support/browser-people.ts";

test("turns a quote into an invoice when the customer accepts it without signing in", async ({ page, browser }) => {
  const [customer, staff] = [await createCorporateCustomer(page), await createStaff(page, "finance")];
  await signIn(page, staff);
  await page.goto(`/admin/update-user/${customer.id}/?tab=billing&action=create-invoice`);
  const draft = page.getByRole("dialog", { name: "Create Invoice" });
  await draft.getByLabel("Description").fill("Corporate Dark Concurrent, a year");
  await draft.getByLabel("Unit price").fill("1000");
  await draft.getByRole("button", { name: "Continue" }).click();
  await draft.getByRole("button", { name: "Save draft" }).click();
  await expect(page).not.toHaveURL(/action=/);

  const row = page.getByRole("table", { name: "Invoices" }).getByRole("row").nth(1);
  await expect(row).toContainText("Draft");
  await row.getByRole("button", { name: "Actions for draft" }).click();
  await page.getByRole("menuitem", { name: "Send quote" }).click();
  const dialog = page.getByRole("dialog", { name: "Send quote" });
  await expect(dialog).toContainText("The draft over A$1,100.00 is emailed to");
  await dialog.getByRole("button", { name: "Send quote" }).click();
  await expect(page.getByText(/^Quote Q-\d+ has been emailed\.$/)).toBeVisible();

  const visitor = await browser.newPage();
  await visitor.goto(new URL(await findEmailedLink(page, customer.email), page.url()).href);
  await expect(visitor.getByRole("heading", { level: 1, name: "Quote" })).toBeVisible();
  await expect(visitor.getByRole("row", { name: "Total A$1,100.00" })).toBeVisible();
  await expectAccessible(visitor, "a quote");
  await visitor.getByLabel("Your role").fill(`Finance Manager ${"W".repeat(80)}`);
  await visitor.getByRole("checkbox", { name: /^I confirm that I may accept this quote for / }).check();
  await visitor.getByRole("button", { name: "Accept quote" }).click();
  const answer = visitor.getByRole("status").filter({ hasText: "You have accepted this quote." });
  await expect(answer).toContainText(/We emailed you invoice \d{6}\./);
  await expect(answer).toContainText(/, Finance Manager W+, on /);
  // A long word breaks instead of widening the page.
  await visitor.setViewportSize({ width: 320, height: 800 });
  expect(await visitor.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await expect(visitor.getByRole("heading", { name: "Pay A$1,100.00" })).toBeVisible();
  const number = /\d{6}/.exec((await answer.textContent()) ?? "")?.[0] ?? "";
  await visitor.reload();
  await expect(answer).toContainText(number);
  await expect(visitor.getByRole("button", { name: "Accept quote" })).toBeHidden();
  await visitor.close();

  await page.reload();
  await expect(row).toContainText(new RegExp(`${number}.*Open.*A\\$1,100\\.00`));
});
