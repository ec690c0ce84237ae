import {
  expect,
  expectAccessible,
  expectNoHorizontalScroll,
  registerPerson,
  signInAsDemo,
  test,
} from "#tests/support/browser.ts";
import { readWorkbook } from "#tests/support/read-workbook.ts";
import { readFileSync } from "node:fs";

test.describe.configure({ timeout: 90_000 });
test.use({ permissions: ["clipboard-read", "clipboard-write"] });

test("lets an admin add, view, copy, update and deactivate a licence, download its usage and see its seats", async ({
  page,
}) => {
  await signInAsDemo(page, "admin");
  const email = await registerPerson(page);
  const found = page.waitForResponse(
    (answer) => answer.url().endsWith("/graphql") && answer.request().postData()?.includes(email) === true,
  );
  await page.goto("/admin/manage-users/");
  await page.getByLabel("Search").fill(email);
  const answer = (await (await found).json()) as { data: { users: { rows: { id: string }[] } } };
  const userId = answer.data.users.rows[0]?.id;
  await page.goto(`/admin/update-user/${userId}/?tab=licences`);

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
  await add.getByLabel("PO number").fill(`PO-${userId?.slice(0, 6)}`);
  await add.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("You have successfully added a licence.")).toBeVisible();

  const row = page.getByRole("row", { name: "XER Bridge Corporate Dark Concurrent" });
  const actions = row.getByRole("button", { name: /^Actions for/ });
  const choose = async (name: string) => {
    await actions.click();
    await page.getByRole("menuitem", { name, exact: true }).click();
  };
  await choose("View licence code");
  const code = await page.getByRole("dialog", { name: "Licence code" }).locator("code").innerText();
  await page.getByRole("button", { name: "Close", exact: true }).click();
  await choose("Copy Licence Code");
  await expect(page.getByText("Licence code has been copied to clipboard.")).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code.replace(/\s/g, ""));

  await choose("Update");
  const update = page.getByRole("dialog", { name: "Update licence" });
  await update.getByLabel("Expiry Date", { exact: true }).fill("31/03/2031");
  await update.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("You have successfully updated the licence.")).toBeVisible();
  await expect(row.getByText("31 March, 2031")).toBeVisible();

  const downloaded = page.waitForEvent("download");
  await choose("View licence usage");
  const file = await downloaded;
  expect(file.suggestedFilename()).toMatch(/^Licence-Usage-S-[0-9A-Z]{8}\.xlsx$/);
  const { rows } = readWorkbook(readFileSync(await file.path()));
  expect(rows.map((cells) => cells[5]?.text)).toEqual(["Event", "Licence extended", "Licence issued"]);
  await expect(page.getByText("The report has been exported successfully.")).toBeVisible();

  await choose("Seats");
  await expect(page.getByText("No seats are in use.")).toBeVisible();
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoHorizontalScroll(page);
  await page.goBack();
  await page.setViewportSize({ width: 1440, height: 900 });

  await choose("Deactivate");
  const question = page.getByRole("dialog", { name: "Deactivate licence" });
  await expect(question.getByText("You can reinstate the licence later.")).toBeVisible();
  await question.getByRole("button", { name: "Yes" }).click();
  await expect(page.getByText("You have successfully deactivated the licence.")).toBeVisible();
  await expect(row.getByText("Deactivated")).toBeVisible();

  await choose("Reinstate");
  await page.getByRole("dialog", { name: "Reinstate licence" }).getByRole("button", { name: "Reinstate" }).click();
  await expect(page.getByText("You have successfully reinstated the licence.")).toBeVisible();
  await expect(row.getByText("Deactivated")).toBeHidden();

  await choose("Change Seats");
  const seats = page.getByRole("dialog", { name: "Change seats" });
  await expectAccessible(page, "the form for changing seats");
  await seats.getByLabel("Number of users").fill("5");
  await seats.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("You have successfully changed the seats.")).toBeVisible();
});
