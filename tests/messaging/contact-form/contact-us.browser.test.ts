import { brand } from "#schema/brand.ts";
import { expect, expectNoHorizontalScroll, signInAsDemo, test } from "#tests/support/browser.ts";

test("prefills the form for a customer and delivers the message to the right mailbox", async ({ page }) => {
  await signInAsDemo(page, "new");
  await page.getByRole("contentinfo").getByRole("link", { name: "Contact" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Contact Us" })).toBeFocused();
  await expect(page.getByLabel("Email", { exact: true })).toHaveValue("new@demo.test");
  await expect(page.getByLabel("Phone Number")).not.toHaveValue("");
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoHorizontalScroll(page);
  const question = `Do you sell to schools? ${crypto.randomUUID()}`;
  await page.getByLabel("Message").fill(question);
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByText("Your message has been successfully sent.")).toBeVisible();
  await expect(page.getByLabel("Message")).toHaveValue("");

  const { email } = brand.mailboxes.sales;
  const emails = await (await page.request.get(`/dev/mail.json?to=${encodeURIComponent(email)}`)).json();
  expect(emails[0]).toMatchObject({ to: email, replyTo: "new@demo.test", text: expect.stringContaining(question) });
});
