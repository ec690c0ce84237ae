import { readFileSync } from "node:fs";
import { ResultCode } from "#schema/result-code.ts";
import { expect, findEmailedLink, sendGraphqlAs, signIn, test, registerPerson } from "#tests/support/browser.ts";
import { startBrowserAddin } from "#tests/support/browser-addin.ts";
import {
  addConcurrentLicence,
  createCorporateCustomer,
  createCustomer,
  createStaff,
  demoAdmin,
  findUserId,
} from "#tests/support/browser-people.ts";
import { workOnTicket } from "#tests/support/tickets.ts";
import process from "node:process";

interface StoredUser {
  readonly isActive: boolean;
  readonly companyName: string;
  readonly licences: readonly { expiresAt: string; numberOfUsers: number; devices: { id: string }[] }[];
}

/** Prints the counts of the tickets. */
const print = (lines: readonly string[]) => process.stdout.write(`${lines.join("\n")}\n`);

test("lets support work on seven common tickets in at most 3 screens and 5 clicks each", async ({ page }) => {
  const customer = await createCustomer(page);
  const [staff, corporate] = [await createStaff(page, "support"), await createCorporateCustomer(page)];
  await addConcurrentLicence(page, corporate.id);
  const code = await customer.startTrial();
  const customerId = await findUserId(page, customer.email);
  const oldLaptop = startBrowserAddin(page, "OLD-LAPTOP", code);
  const newLaptop = startBrowserAddin(page, "NEW-LAPTOP", code);
  const { machineToken } = await oldLaptop.callAddin("activate");
  await signIn(page, staff);
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const dialog = (name: string) => page.getByRole("dialog", { name });
  const readUser = async (id: string): Promise<StoredUser> => {
    const fields = "isActive companyName licences { expiresAt numberOfUsers devices { id } }";
    const query = `query ($id: ID!) { user(id: $id) { ${fields} } }`;
    return (await sendGraphqlAs<{ user: StoredUser }>(page, demoAdmin, query, { id })).user;
  };
  const lines: string[] = [];

  lines.push(
    await workOnTicket(page, "Can't sign in", async ({ findActions, choose, click }) => {
      await findActions(customer.email);
      await choose("Send Password Reset");
      await click(button("Send email"));
      await expect(page.getByText("The email has been sent.")).toBeVisible();
    }),
  );
  expect(await findEmailedLink(page, customer.email)).toContain("/reset-password");
  lines.push(
    await workOnTicket(page, "Moved machine", async ({ findActions, choose, click, select }) => {
      await findActions(customer.email);
      await choose("Deactivate Device");
      await select(dialog("Deactivate device").getByLabel("Reason"), "Device change");
      await click(dialog("Deactivate device").getByRole("button", { name: "Deactivate" }));
      await expect(page.getByText("You have successfully deactivated the device.")).toBeVisible();
    }),
    await workOnTicket(page, "Extend trial", async ({ findActions, choose, click, type }) => {
      await findActions(customer.email);
      await choose("Extend Trial");
      await type(dialog("Extend Trial").getByLabel("Days", { exact: true }), "30");
      await type(dialog("Extend Trial").getByLabel("Reason"), "Needs a month for the tender");
      await click(dialog("Extend Trial").getByRole("button", { name: "Extend Trial" }));
      await expect(page.getByText("The trial has been extended.")).toBeVisible();
    }),
    await workOnTicket(page, "Add seats", async ({ findActions, choose, click, type }) => {
      await findActions(corporate.email);
      await choose("Change Seats");
      await type(dialog("Change seats").getByLabel("Number of users"), "8");
      await click(button("Save"));
      await expect(page.getByText("You have successfully changed the seats.")).toBeVisible();
    }),
    await workOnTicket(page, "Wrong company on invoice", async ({ findActions, choose, click, type }) => {
      await findActions(corporate.email);
      await choose("Change Company");
      await type(page.getByLabel("Company name"), "Southern Rail Group");
      await click(button("Submit"));
      await expect(page.getByText("The user details have been updated.")).toBeVisible();
    }),
  );
  expect(await oldLaptop.callAddin("validate", { machineToken })).toMatchObject({
    resultCode: ResultCode.NOT_ACTIVATED,
  });
  const left = Date.parse((await readUser(customerId)).licences[0]?.expiresAt ?? "") - Date.now();
  expect(Math.round(left / 86_400_000)).toBe(44);
  expect(await readUser(corporate.id)).toMatchObject({
    companyName: "Southern Rail Group",
    licences: [{ numberOfUsers: 8 }],
  });

  await newLaptop.callAddin("activate");
  const deviceId = (await readUser(customerId)).licences[0]?.devices[0]?.id;
  const block =
    "mutation ($userId: ID!, $deviceId: ID!) { blockMachineOf(userId: $userId, deviceId: $deviceId) { id } }";
  await sendGraphqlAs(page, demoAdmin, block, { userId: customerId, deviceId });
  expect(await newLaptop.callAddin("activate")).toMatchObject({ resultCode: ResultCode.MACHINE_BLOCKED });
  lines.push(
    await workOnTicket(page, "Blocked machine", async ({ findActions, choose, click }) => {
      await findActions(customer.email);
      await choose("Blocked machines");
      await click(button("Remove NEW-LAPTOP"));
      await click(dialog("Unblock machine").getByRole("button", { name: "Unblock" }));
      await click(button("Submit"));
      await expect(page.getByText("The user details have been updated.")).toBeVisible();
    }),
  );
  expect(await newLaptop.callAddin("activate")).toMatchObject({ resultCode: ResultCode.VALID });

  lines.push(
    await workOnTicket(page, "Leaver", async ({ findActions, choose, click }) => {
      await findActions(customer.email);
      await choose("Delete");
      await click(dialog("Delete user").getByRole("button", { name: "Delete" }));
      await expect(page.getByText("The user has been successfully deleted.")).toBeVisible();
    }),
  );
  expect((await readUser(customerId)).isActive).toBe(false);
  print(lines);
});

test("lets finance work on three common tickets in at most 3 screens and 5 clicks each", async ({ page }) => {
  const customer = await createCustomer(page);
  const staff = await createStaff(page, "finance");
  await customer.subscribe();
  const invoice = await customer.readInvoice();
  await signIn(page, staff);
  const lines: string[] = [];
  lines.push(
    await workOnTicket(page, "Card failed", async ({ findActions, choose, click }) => {
      await findActions(customer.email);
      await choose("Send Update-Card Link");
      await click(page.getByRole("button", { name: "Send email" }));
      await expect(page.getByText("The email has been sent.")).toBeVisible();
    }),
    await workOnTicket(page, "Needs invoice copy", async ({ click }) => {
      await page.keyboard.type(invoice.number);
      await expect(page.getByRole("option", { name: /^Tax invoice/ })).toHaveAttribute("aria-selected", "true");
      await page.keyboard.press("Enter");
      const download = page.waitForEvent("download");
      await click(page.getByRole("button", { name: "Download PDF" }));
      const file = await download;
      expect(file.suggestedFilename()).toBe(`Invoice-${invoice.number}.pdf`);
      const bytes = readFileSync(await file.path());
      expect(bytes.subarray(0, 5).toString()).toBe("%PDF-");
    }),
  );
  // A sign-in of more than 10 minutes ago needs a proof of identity for a refund.
  await page.request.post("/dev/clock", { data: { advanceSeconds: 700 } });
  lines.push(
    await workOnTicket(page, "Wants refund", async ({ findActions, choose, click, type }) => {
      await findActions(customer.email);
      await choose("Refund");
      const dialog = page.getByRole("dialog", { name: `Refund invoice ${invoice.number}` });
      await type(dialog.getByLabel("Reason"), "Bought by mistake");
      await click(dialog.getByRole("button", { name: /^Refund A\$/ }));
      const proof = page.getByRole("dialog", { name: "Confirm that it's you" });
      await type(proof.getByLabel("Password", { exact: true }), staff.password);
      await click(proof.getByRole("button", { name: "Confirm" }));
      await expect(page.getByText(/^A\$[\d.]+ refunded\.$/)).toBeVisible();
    }),
  );
  await page.request.post("/dev/clock", { data: { reset: true } });
  expect(await customer.readInvoice()).toMatchObject({ kind: "ADJUSTMENT", totalCents: -invoice.totalCents });
  print(lines);
});

/**
 * Work that comes up less often than the ten tickets above: whose actions the palette lists (without
 * somebody, it finds the page that is named by the action), the action, what shows that it worked, the button of the dialog, and
 * texts to type by label.
 */
const tasks: readonly [
  name: string,
  on: "payer" | "corporate" | "trial" | "unconfirmed" | null,
  action: string,
  sees: string | RegExp,
  press?: string,
  type?: Readonly<Record<string, string>>,
][] = [
  ["Confirmation email didn't arrive", "unconfirmed", "Resend Confirmation", "The email has been sent.", "Send email"],
  ["Customer called", "payer", "Add a comment", /successfully saved/, "Save", { Comment: "Called about the tender." }],
  ["What happened to the account", "payer", "History", "Show only"],
  ["What did they pay", "payer", "Billing", "Payments"],
  ["Which licences", "payer", "Licences", "Add A Licence"],
  ["Goodwill credit", "payer", "Add Credit", /credit has been added/, "Add Credit", { Amount: "50", Reason: "Outage" }],
  [
    "Wants to cancel",
    "payer",
    "Cancel Subscription",
    "Resume Subscription",
    "Cancel Subscription",
    { Reason: "By phone" },
  ],
  [
    "Changed mind",
    "payer",
    "Resume Subscription",
    /has been resumed/,
    "Resume Subscription",
    { Reason: "Changed mind" },
  ],
  ["Why was the add-in refused", "trial", "View licence history", "Refusals only"],
  ["Too many deactivations", "trial", "Reset Licence Deactivation Counter", /has been reset successfully/, "Reset"],
  ["Someone else uses it", "trial", "Sign out everywhere", "The user has been signed out everywhere.", "Sign out"],
  ["Who has the seats", "corporate", "Seats", /seats/],
  ["Longer contract", "corporate", "Extend Licence", /updated the licence/, "Save", { "Expiry Date": "31/12/2032" }],
  ["Contract has ended", "corporate", "Deactivate Licence", "Deactivated", "Deactivate"],
  ["Add a discount", null, "Add a promo code", "Code"],
  ["Figures for the board", null, "Dashboard", "Active subscriptions"],
  ["Overdue payments", null, "Subscriptions", "Subscriptions"],
  ["Tax for the quarter", null, "Tax", "GST"],
  ["Who changed it", null, "Audit Log", "Apply"],
  ["Is the service up", null, "Status", "Version"],
];

test("lets an owner work on twenty more tasks in at most 3 screens and 5 clicks each", async ({ page }) => {
  const [payer, trial] = [await createCustomer(page), await createCustomer(page)];
  await payer.subscribe();
  await trial.startTrial();
  const corporate = await createCorporateCustomer(page);
  await addConcurrentLicence(page, corporate.id);
  const unconfirmed = await registerPerson(page);
  const emails = { payer: payer.email, trial: trial.email, corporate: corporate.email, unconfirmed };
  await signIn(page, await createStaff(page, "owner"));
  for (const [name, on, action, sees, press, type = {}] of tasks) {
    const line = await workOnTicket(page, name, async (ticket) => {
      if (on) {
        await ticket.findActions(emails[on]);
        await ticket.choose(action);
      } else await ticket.find(action, action);
      const dialog = page.getByRole("dialog").last();
      for (const [label, text] of Object.entries(type))
        await ticket.type(dialog.getByRole("textbox", { name: label }), text);
      if (press) await ticket.click(dialog.getByRole("button", { name: press, exact: true }));
      await expect(page.getByText(sees).filter({ visible: true }).first()).toBeVisible();
    });
    process.stdout.write(`${line}\n`);
  }
});
