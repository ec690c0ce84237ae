import { readFile } from "node:fs/promises";
import {
  createNewPerson,
  expect,
  expectAccessible,
  expectNoHorizontalScroll,
  signInAsDemo,
  test,
} from "#tests/support/browser.ts";
import { findUserId } from "#tests/support/browser-people.ts";

test("lets finance invoice a customer, record the payment, and find the invoice", async ({ page }) => {
  await signInAsDemo(page, "admin");
  await page.getByRole("navigation", { name: "Admin" }).getByRole("link", { name: "Invoices" }).click();
  await page.getByLabel("Status").selectOption({ label: "Overdue" });
  await page.getByRole("button", { name: "Apply" }).click();
  await page.getByRole("link", { name: "Great Northern Constructors" }).first().click();
  await page.getByRole("button", { name: "Create Invoice" }).click();
  const dialog = page.getByRole("dialog", { name: "Create Invoice" });
  await dialog.getByLabel("Description").fill("Corporate Dark Concurrent, a year");
  await dialog.getByLabel("Quantity").fill("5");
  await dialog.getByLabel("Unit price").fill("200");
  await dialog.getByLabel("PO number").fill("PO-7781");
  await dialog.getByLabel("Licence when paid").selectOption({ label: "A new licence" });
  await dialog.getByLabel("Seats").fill("3");
  await dialog.getByLabel("Machines").fill("6");
  await expect(dialog).toHaveCSS("opacity", "1");
  await expectAccessible(page, "new invoice");
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(dialog.getByText("A$950.00")).toBeVisible();
  await expect(dialog.getByText(/a new Professional licence is issued until/)).toBeVisible();
  await expectAccessible(page, "summary of a new invoice");
  await dialog.getByRole("button", { name: "Issue invoice" }).click();
  const message = page.getByText(/Invoice \d+ has been issued and emailed\./);
  await expect(message).toBeVisible();
  const number = /\d{6}/.exec((await message.textContent()) ?? "")?.[0] ?? "";

  const row = page.getByRole("table", { name: "Invoices" }).getByRole("row").filter({ hasText: number });
  await expect(row).toContainText("Open");
  await row.getByRole("button", { name: `Actions for ${number}` }).click();
  await page.getByRole("menuitem", { name: "Record Payment" }).click();
  const payment = page.getByRole("dialog", { name: "Record Payment" });
  await payment.getByRole("button", { name: "Continue" }).click();
  await expect(payment.getByText(/A new licence is issued until/)).toBeVisible();
  await payment.getByRole("button", { name: "Record Payment" }).click();
  await expect(row).toContainText("Paid");

  await page.getByRole("navigation", { name: "Admin" }).getByRole("link", { name: "Invoices" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Invoices" })).toBeVisible();
  await page.getByLabel("Status").selectOption({ label: "Paid" });
  await page.getByLabel("Customer").fill("corporate@demo.test");
  await page.getByRole("button", { name: "Apply" }).click();
  await page.getByRole("button", { name: "This month" }).click();
  await expect(page).toHaveURL(/status=paid.*customer=corporate/);
  const listed = page.getByRole("table", { name: "Invoices" }).getByRole("row").filter({ hasText: number });
  await expect(listed).toContainText("A$950.00");
  await expect(page.getByRole("region", { name: "Totals" })).toContainText("A$950.00 total incl. GST");
  await expectAccessible(page, "all invoices");
  const exported = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export these rows" }).click();
  await page.getByRole("menuitem", { name: "CSV" }).click();
  expect(await readFile(await (await exported).path(), "utf8")).toContain(number);
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoHorizontalScroll(page);
});

test("voids an open invoice with a reason", async ({ page }) => {
  const id = await findUserId(page, await createNewPerson(page));
  await signInAsDemo(page, "admin", `/admin/update-user/${id}/?tab=billing`);
  await page.getByRole("button", { name: "Create Invoice" }).click();
  const draft = page.getByRole("dialog", { name: "Create Invoice" });
  await draft.getByLabel("Description").fill("Training by video");
  await draft.getByLabel("Unit price").fill("100");
  await draft.getByRole("button", { name: "Continue" }).click();
  await draft.getByRole("button", { name: "Issue invoice" }).click();
  await expect(draft).toBeHidden();
  await expect(page.getByText(/has been issued and emailed/).last()).toBeVisible();
  const table = page.getByRole("table", { name: "Invoices" });
  await table.getByRole("button", { name: /^Actions for 1/ }).click();
  await page.getByRole("menuitem", { name: "Void" }).click();
  const dialog = page.getByRole("dialog", { name: /^Void invoice/ });
  await dialog.getByRole("button", { name: "Void invoice" }).click();
  await expect(dialog.getByText("Reason is required.")).toBeVisible();
  await dialog.getByLabel("Reason").fill("Wrong customer");
  await dialog.getByRole("button", { name: "Void invoice" }).click();
  await expect(page.getByText(/Adjustment note A-\d+ was emailed/)).toBeVisible();
  await expect(table.getByRole("row").filter({ hasText: "Void" })).toHaveCount(2);
  await expectAccessible(page, "billing tab");
});
