import process from "node:process";
import { expect, registerPerson, signIn, test } from "#tests/support/browser.ts";
import {
  addConcurrentLicence,
  createCorporateCustomer,
  createCustomer,
  createStaff,
} from "#tests/support/browser-people.ts";
import { workOnTicket } from "#tests/support/tickets.ts";

/**
 * Work that comes up less often than the ten tickets of `tickets.browser.test.ts`: whose actions the palette lists (without
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
