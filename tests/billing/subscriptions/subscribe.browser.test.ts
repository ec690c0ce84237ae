import type { Page } from "@playwright/test";
import {
  expect,
  expectAccessible,
  expectNoHorizontalScroll,
  findEmailedLink,
  newPersonPassword,
  registerPerson,
  sendGraphqlAs,
  test,
} from "#tests/support/browser.ts";

const DAY_SECONDS = 86_400;
const phone = { width: 390, height: 844 };
const desk = { width: 1440, height: 900 };

test.afterEach(async ({ page }) => {
  await page.request.post("/dev/clock", { data: { reset: true } });
});

const heading = (page: Page, name: string) => expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const level = (page: Page, name: string) =>
  page.getByRole("radiogroup", { name: "Subscription Level" }).getByRole("radio", { name: new RegExp(`^${name}`) });
const answer = (page: Page, dialog: string | RegExp, name: string) =>
  page.getByRole("dialog", { name: dialog }).getByRole("button", { name, exact: true }).click();

/** Registers a customer and confirms the email address with the emailed link. */
async function register(page: Page): Promise<string> {
  const email = await registerPerson(page);
  await page.goto(await findEmailedLink(page, email));
  await expect(page.getByRole("heading", { level: 1, name: /^(My Account|Manage Subscription)$/ })).toBeVisible();
  return email;
}

async function fillCard(page: Page, number: string): Promise<void> {
  await page.getByLabel("Card Number").fill(number);
  await page.getByLabel("Expiry Date").fill("12/34");
  await page.getByLabel("CVC").fill("123");
}

async function subscribe(page: Page, number: string): Promise<void> {
  await fillCard(page, number);
  await page.getByLabel("I acknowledge this notice").check();
  await press(page, "Subscribe");
  await answer(page, "Subscribe", "Yes");
}

test("keeps the form after a declined card and authenticates another card, on a phone", async ({ page }) => {
  await page.setViewportSize(phone);
  await register(page);
  await page.goto("/manage-subscription/xer-professional/");
  const intervals = page.getByRole("radiogroup", { name: "Billing interval" });
  await intervals.getByText(/^Yearly/).click();
  await expect(level(page, "Professional, yearly")).toBeChecked();
  await subscribe(page, "4000 0000 0000 0002");
  await expect(page.getByRole("main").getByText(/^Your card was declined/)).toBeVisible();
  await expectNoHorizontalScroll(page);
  await expectAccessible(page, "a declined card");

  await fillCard(page, "4000 0025 0000 3155");
  await press(page, "Subscribe");
  await answer(page, "Subscribe", "Yes");
  await expect(page.getByRole("dialog", { name: "Your bank asks you to confirm this payment" })).toBeVisible();
  await expectAccessible(page, "the bank's authentication");
  await page.keyboard.press("Escape");
  await expect(page.getByText("Your bank has not confirmed the payment yet.", { exact: false })).toBeVisible();
  await expectAccessible(page, "an authentication left open");
  await press(page, "Confirm with your bank");
  await answer(page, /^Your bank asks/, "Confirm");
  await expect(page.getByText("Subscription was successful.")).toBeVisible();
  await page.goto("/manage-subscription/");
  await expect(page.getByText("Next payment", { exact: true })).toBeVisible();
  await expectNoHorizontalScroll(page);
});

test("shows a failed renewal, and pays it immediately with another card", async ({ page }) => {
  await page.setViewportSize(desk);
  const email = await register(page);
  await page.goto("/manage-subscription/xer-professional-monthly/");
  await subscribe(page, "4000 0000 0000 0341");
  await expect(page.getByText("Subscription was successful.")).toBeVisible();
  expect((await page.request.post("/dev/clock", { data: { advanceSeconds: 32 * DAY_SECONDS } })).ok()).toBe(true);

  // The provider's webhook may still be on its way.
  const query = "{ subscriptionStatus { subscription { isPastDue } } }";
  const readStatus = () => sendGraphqlAs(page, { email, password: newPersonPassword }, query);
  await expect.poll(readStatus).toMatchObject({ subscriptionStatus: { subscription: { isPastDue: true } } });

  // The session has expired after such a long time.
  await page.evaluate(() => localStorage.clear());
  await page.goto("/login/?returnUrl=%2Fmanage-subscription%2F");
  await page.getByLabel("Username").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(newPersonPassword);
  await press(page, "Login");
  await heading(page, "Manage Subscription");
  await expect(page.getByText("Payment overdue")).toBeVisible();
  await expect(page.getByText(/We could not take the payment/)).toBeVisible();
  await expectAccessible(page, "a failed renewal");
  await page.setViewportSize(phone);
  await expectNoHorizontalScroll(page);
  await page.getByRole("link", { name: "Change Payment Details" }).click();
  await heading(page, "Manage Payment Details");
  await expectNoHorizontalScroll(page);
  await fillCard(page, "4242 4242 4242 4242");
  await press(page, "Submit");
  await expect(page.getByText("You have successfully changed your payment details")).toBeVisible();
  await expect(page.getByText("Next payment", { exact: true })).toBeVisible();
  await expect(page.getByText("Visa ending in 4242")).toBeVisible();
});
