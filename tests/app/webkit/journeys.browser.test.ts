import { test as base, type APIRequestContext, type Page } from "@playwright/test";
import { generateSync } from "otplib";
import { ResultCode } from "#schema/result-code.ts";
import {
  createNewPerson,
  expect,
  findEmailedLink,
  getRegistrationTexts,
  newPersonPassword,
} from "#tests/support/browser.ts";
import { startBrowserAddin } from "#tests/support/browser-addin.ts";
import { createCustomer, createStaff } from "#tests/support/browser-people.ts";
import { startWebKit, type WebKit } from "#tests/support/webkit.ts";

/** The helpers that make data only send requests. `webkit` is the browser. */
const test = base.extend<{ webkit: WebKit; api: Page }>({
  webkit: async ({ baseURL }, use) => {
    const webkit = await startWebKit(baseURL ?? "");
    await use(webkit);
    await webkit.close();
  },
  api: ({ request }: { request: APIRequestContext }, use) => use({ request } as unknown as Page),
});

async function signIn({ open, type, press }: WebKit, email: string, path: string): Promise<void> {
  await open(`/login/?returnUrl=${encodeURIComponent(path)}`);
  await type("Username", email);
  await type("Password", newPersonPassword);
  await press("button", "Login");
}

test("a visitor registers, confirms, starts a trial and gets a licence code", async ({ webkit, api }) => {
  const { open, press, type, choose, see } = webkit;
  const email = `ada.${crypto.randomUUID()}@example.test`;
  await open("/trial-xer/");
  await press("link", "Trial Professional Now for Free");
  await see("Create your account to start the trial.");
  const typed = { ...getRegistrationTexts(email), "Confirm password": newPersonPassword };
  await press("button", "Enter address manually");
  for (const [label, value] of Object.entries(typed)) await type(new RegExp(`^${label}`), value);
  await type("Password", newPersonPassword);
  await choose("State", /Queensland|QLD/);
  await press("button", "Accept terms and privacy policy");
  await press("button", "Submit");
  await see(email);
  await open(await findEmailedLink(api, email));
  // Over HTTP, WebKit refuses the cookie by which the portal knows the browser that registered.
  await type("New password", newPersonPassword);
  await type("Confirm password", newPersonPassword);
  await press("button", "Confirm email");
  await see(/Welcome to your trial/);
  await press("button", "Copy Licence Code");
  await see("Licence code has been copied to clipboard.");
  await press("link", "Go to My Account");
  await press("button", "Actions for Planvarro Trial");
  await press("menuitem", "View licence code");
  const code = (await see(/(?:[0-9A-Z]{5}[-\s]+){5}[0-9A-Z]{5}/)).replaceAll(/\s/g, "");
  expect((await startBrowserAddin(api, "LAPTOP-ADA", code).callAddin("activate")).resultCode).toBe(ResultCode.VALID);
});

test("a customer compares prices, subscribes, reads the invoice and switches the plan", async ({ webkit, api }) => {
  const { open, press, type, see } = webkit;
  const customer = await createCustomer(api);
  await signIn(webkit, customer.email, "/trial-and-subscribe/");
  await press("button", "Yearly");
  await press("link", "Subscribe");
  await see("Total today");
  await type("Card Number", "4242 4242 4242 4242");
  await type("Expiry Date", "12/34");
  await type("CVC", "123");
  await press("checkbox", "I acknowledge this notice");
  await press("button", "Subscribe");
  await press("button", "Yes");
  await see("Subscription was successful.");
  await press("link", "Invoices");
  await see((await customer.readInvoice()).number);
  await open("/change-subscription/");
  await press("radio", /^Monthly/);
  await press("radio", /^Standard, monthly/);
  await press("button", "Submit");
  await see("Nothing is charged now");
  await press("button", "Yes");
  await see("Planned change");
});

test("a customer moves a licence to another device by code", async ({ webkit, api }) => {
  const { open, press, choose, see } = webkit;
  const customer = await createCustomer(api);
  const laptop = startBrowserAddin(api, "LAPTOP-GRACE", await customer.startTrial());
  const { machineToken } = await laptop.callAddin("activate");
  const tower = startBrowserAddin(api, "TOWER-GRACE", "");
  const { device_code: deviceCode, verification_uri_complete: link } = await tower.begin();
  await signIn(webkit, customer.email, "/my-account/");
  await see("My Account");
  await open(link);
  await press("button", "Continue");
  await choose("Device to replace", /LAPTOP-GRACE/);
  await press("button", "Confirm");
  await see(/Go back to the add-in on TOWER-GRACE/);
  const answer = await tower.callAddin("device-authorization/token", { device_code: deviceCode });
  expect(answer).toMatchObject({ resultCode: ResultCode.VALID });
  await see("TOWER-GRACE is activated.");
  expect(await laptop.callAddin("validate", { machineToken })).toMatchObject({ resultCode: ResultCode.NOT_ACTIVATED });
});

test("a customer turns two-step sign-in on and signs in with a code", async ({ webkit, api }) => {
  const { open, press, type, see, readAddress } = webkit;
  const email = await createNewPerson(api);
  await signIn(webkit, email, "/two-step-sign-in/");
  await press("button", "Set up app");
  await type("Password", newPersonPassword);
  await press("button", "Continue");
  const secret = (await see(/(?:[A-Z2-7]{4} ){3,}[A-Z2-7]{1,4}/)).replaceAll(/\s/g, "");
  const now = Math.trunc(Date.now() / 1_000);
  await type("Code", generateSync({ secret, epoch: now }));
  await press("button", "Confirm");
  await press("button", "I have saved my codes");
  await see(/Two-step sign-in has been on since/);
  await open("/logout/");
  await expect.poll(readAddress).toBe("/");
  await signIn(webkit, email, "/sessions/");
  // A code works once. The server also accepts the next one.
  await type("Code", generateSync({ secret, epoch: now + 30 }));
  await press("button", "Continue");
  await see("Active sessions");
  expect(await readAddress()).toBe("/sessions/");
});

test("staff find a customer, edit them and refund a part of a payment", async ({ webkit, api }) => {
  const { press, type, see } = webkit;
  const customer = await createCustomer(api);
  await customer.subscribe();
  const { number } = await customer.readInvoice();
  const staff = await createStaff(api, "owner");
  await signIn(webkit, staff.email, "/admin/manage-users/");
  await type("Search", customer.email);
  await see("1–1 of 1");
  await press("link", "Grace Hopper");
  await press("tab", "User Details");
  await type(/^Position/, "Head of Planning");
  await press("button", "Submit");
  await see("The user details have been updated.");
  await press("tab", "Billing");
  await press("button", `Actions for ${number}`);
  await press("menuitem", "Refund");
  await type(/^Reason/, "Goodwill for an outage");
  await type(/^Amount/, "50");
  await press("button", "Refund A$50.00");
  await see("A$50.00 refunded");
  expect(await customer.readInvoice()).toMatchObject({ kind: "ADJUSTMENT", totalCents: -5_000 });
});

test("staff preview and download a report", async ({ webkit, api }) => {
  const { press, choose, see } = webkit;
  const staff = await createStaff(api, "owner");
  await signIn(webkit, staff.email, "/admin/reports-page/");
  await choose("Report type", "Users");
  await choose("Format", /CSV/i);
  await press("button", "All time");
  await see(/[\d,]+ rows/);
  await press("button", "Download");
  await see("The report has been exported successfully.");
});
