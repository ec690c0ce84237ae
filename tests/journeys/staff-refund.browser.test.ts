import { readFileSync } from "node:fs";
import { expect, expectAccessible, sendGraphqlAs, signIn, test } from "#tests/support/browser.ts";
import { createCustomer, createStaff, demoAdmin, findUserId } from "#tests/support/browser-people.ts";
import { readWorkbook } from "#tests/support/read-workbook.ts";

test("staff find a customer in the list, edit them, manage a licence and refund a payment", async ({ page }) => {
  const customer = await createCustomer(page);
  await customer.subscribe();
  const invoice = await customer.readInvoice();
  await signIn(page, await createStaff(page, "owner"));

  await page.goto("/admin/");
  await page.getByRole("navigation", { name: "Admin" }).getByRole("link", { name: "Users" }).click();
  await page.getByLabel("Search", { exact: true }).fill(customer.email);
  await expect(page.getByText("1–1 of 1")).toBeVisible();
  await expectAccessible(page, "the list of users");
  await page.getByRole("link", { name: "Grace Hopper" }).click();
  await expect(page.getByRole("region", { name: "Subscription" })).toBeVisible();
  await expectAccessible(page, "the overview of a user");

  await page.getByRole("tab", { name: "User Details" }).click();
  await page.getByLabel("Position").fill("Head of Planning");
  await expectAccessible(page, "a user's details");
  await page.getByRole("button", { name: "Submit" }).click();
  await expect(page.getByText("The user details have been updated.")).toBeVisible();
  // A tab is a step of its own.
  await page.goBack();
  await page.goBack();
  await expect(page.getByText("1–1 of 1")).toBeVisible();
  await expect(page.getByLabel("Search", { exact: true })).toHaveValue(customer.email);
  await page.getByRole("link", { name: "Grace Hopper" }).click();
  await page.getByRole("tab", { name: "User Details" }).click();
  await expect(page.getByLabel("Position")).toHaveValue("Head of Planning");

  await page.getByRole("tab", { name: "Licences" }).click();
  await page.getByRole("button", { name: "Add A Licence" }).click();
  const add = page.getByRole("dialog", { name: "Add A Licence" });
  await add.getByLabel("Product level").selectOption("Corporate Dark Concurrent");
  await add.getByLabel("Licence type").selectOption("Concurrent");
  await add.getByLabel("Licence category").selectOption("None");
  await add.getByLabel("Licence activation type").selectOption("Concurrent");
  await add.getByLabel("Number of users").fill("0");
  await add.getByRole("button", { name: "Save" }).click();
  await expect(add.getByText("Must be at least 1.")).toBeVisible();
  await expectAccessible(page, "a new licence with a fault");
  await add.getByLabel("Number of users").fill("3");
  await add.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("You have successfully added a licence.")).toBeVisible();
  const licence = page.getByRole("row", { name: "Planvarro Corporate Dark Concurrent" });
  const choose = async (name: string) => {
    await licence.getByRole("button", { name: /^Actions for/ }).click();
    await page.getByRole("menuitem", { name, exact: true }).click();
  };
  await choose("Update");
  const update = page.getByRole("dialog", { name: "Update licence" });
  await update.getByLabel("Expiry Date", { exact: true }).fill("31/03/2031");
  await update.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("You have successfully updated the licence.")).toBeVisible();
  await expect(licence.getByText("31 March, 2031")).toBeVisible();
  const usage = page.waitForEvent("download");
  await choose("View licence usage");
  const { rows } = readWorkbook(readFileSync(await (await usage).path()));
  expect(rows.map((cells) => cells[5]?.text)).toEqual(["Event", "Licence extended", "Licence issued"]);
  await choose("Deactivate");
  await page.getByRole("dialog", { name: "Deactivate licence" }).getByRole("button", { name: "Deactivate" }).click();
  await expect(licence.getByText("Deactivated")).toBeVisible();
  await choose("Reinstate");
  await page.getByRole("dialog", { name: "Reinstate licence" }).getByRole("button", { name: "Reinstate" }).click();
  await expect(licence.getByText("Deactivated")).toBeHidden();

  await page.getByRole("tab", { name: "Billing" }).click();
  const payment = page.getByRole("table", { name: "Payments" }).getByRole("row").nth(1);
  const refund = page.getByRole("dialog", { name: `Refund invoice ${invoice.number}` });
  const openRefund = async () => {
    await payment.getByRole("button", { name: `Actions for ${invoice.number}` }).click();
    await page.getByRole("menuitem", { name: "Refund" }).click();
    await refund.getByLabel("Reason").fill("Goodwill for an outage");
  };
  await openRefund();
  await refund.getByLabel("Amount").fill("50");
  await expect(refund.getByRole("list", { name: "Effects" })).toContainText("A$50.00");
  await expectAccessible(page, "a refund");
  await refund.getByRole("button", { name: "Refund A$50.00" }).click();
  await expect(payment).toContainText("A$50.00 refunded");
  expect(await customer.readInvoice()).toMatchObject({ kind: "ADJUSTMENT", totalCents: -5_000 });
  await openRefund();
  await refund.getByLabel("End the licence now").check();
  await expect(refund.getByRole("list", { name: "Effects" })).toContainText("licence");
  await refund.getByRole("button", { name: /^Refund A\$/ }).click();
  await expect(payment).toContainText("Refunded");
  await expect(payment.getByRole("button", { name: /^Actions/ })).toBeHidden();
  await expect(page.getByRole("region", { name: "Subscription" })).toContainText("Ended");
  await expectAccessible(page, "the billing of a user");

  const query = "query ($id: ID!) { user(id: $id) { position licences { numberOfUsers expiresAt } } }";
  const { user } = await sendGraphqlAs(page, demoAdmin, query, { id: await findUserId(page, customer.email) });
  const changed = { numberOfUsers: 3, expiresAt: expect.stringMatching(/^2031-03-31/) };
  expect(user).toMatchObject({ position: "Head of Planning", licences: expect.arrayContaining([changed]) });
});
