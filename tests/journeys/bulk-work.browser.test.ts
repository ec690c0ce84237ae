import { expect, expectAccessible, expectNoHorizontalScroll, signInAsDemo, test } from "#tests/support/browser.ts";

test("staff check a file of users, start the import and download the result", async ({ page }) => {
  await signInAsDemo(page, "admin", "/admin/bulk-work/");
  await page.getByRole("link", { name: "New bulk run" }).first().click();
  await page.getByText("Show columns").click();
  await expectAccessible(page, "a new bulk run");
  const stamp = Math.trunc(performance.timeOrigin);
  const csv = [
    "First Name;Last Name;Email;Phone;User type;Street number;Street name;City;State;Post Code;Country",
    `Ada;Byron;bulk-${stamp}@example.com;0400 000 000;Regular;12;Eagle Street;Brisbane;QLD;4000;Australia`,
    "Ada;Byron;nonsense;0400 000 000;Regular;12;Eagle Street;Brisbane;QLD;40;Australia",
  ].join("\r\n");
  const file = { name: "staff.csv", mimeType: "text/csv", buffer: Buffer.from(csv) };
  await page.getByLabel("CSV file").setInputFiles(file);
  await page.getByRole("button", { name: "Check rows" }).click();
  await expect(page.getByText("Invalid Australian post code.")).toBeVisible();
  await expectAccessible(page, "a dry run");
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoHorizontalScroll(page);
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.getByLabel("Errors only").check();
  await expect(page.getByText(`bulk-${stamp}@example.com`)).toHaveCount(0);
  await page.getByLabel("Errors only").uncheck();
  await page.getByRole("button", { name: "Start run" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Start run" }).click();
  await expect(page.getByText("Created.")).toBeVisible();
  const started = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download result file" }).click();
  expect((await started).suggestedFilename()).toMatch(/^Bulk-work-import-users-\d{4}-\d\d-\d\d\.csv$/);
});
