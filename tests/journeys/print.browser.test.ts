import type { Page } from "@playwright/test";
import { extractText, getDocumentProxy } from "unpdf";
import { expect, expectAccessible, signIn, test } from "#tests/support/browser.ts";
import { createCustomer, createStaff, findUserId } from "#tests/support/browser-people.ts";

/** Removes white space, because long words break across printed lines. */
const join = (text: string) => text.replace(/\s+/g, "");

/** Opens a page, waits for its words, prints it, and expects the words without the links of the header and the menu. */
async function expectPrinted(page: Page, path: string, words: readonly string[]): Promise<void> {
  await page.goto(path);
  for (const word of words) await expect(page.getByRole("main").getByText(word).first(), path).toBeVisible();
  await expect(page.getByRole("progressbar"), path).toHaveCount(0);
  const pdf = await getDocumentProxy(new Uint8Array(await page.pdf()));
  const text = join((await extractText(pdf, { mergePages: true })).text);
  for (const word of words) expect(text, path).toContain(join(word));
  for (const frame of ["Logout", "Login", "Use dark colours"]) expect(text, path).not.toContain(join(frame));
}

test("a customer prints pages, which show their content and nothing around it", async ({ page }) => {
  const customer = await createCustomer(page);
  await customer.subscribe();
  const { number } = await customer.readInvoice();
  await signIn(page, customer);
  await expectPrinted(page, "/my-account/", ["My Account", customer.email, "Planvarro Professional"]);
  await expectPrinted(page, "/tax-invoices/", ["Tax Invoices", number, "Brisbane"]);
  await expectAccessible(page, "a subscription before it is printed");
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("navigation", { name: "Account" })).toBeHidden();
  await expect(page.getByRole("main")).toBeVisible();
  await page.emulateMedia({ media: null });
});

test("staff and a visitor print pages", { tag: "@long" }, async ({ page }) => {
  const customer = await createCustomer(page);
  await customer.subscribe();
  const id = await findUserId(page, customer.email);
  await signIn(page, await createStaff(page, "owner"));
  await expectPrinted(page, `/admin/update-user/${id}/?tab=billing`, ["Grace Hopper", "Invoices", "Payments"]);

  await page.goto("/logout/");
  await expect(page).toHaveURL("/");
  await expectPrinted(page, "/product/xer-professional/", ["Planvarro Professional", "Who it is for"]);
});
