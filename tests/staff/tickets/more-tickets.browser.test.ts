import process from "node:process";
import { expect, registerPerson, signIn, test } from "#tests/support/browser.ts";
import {
  addConcurrentLicence,
  createCorporateCustomer,
  createCustomer,
  createStaff,
} from "#tests/support/browser-people.ts";
import { workOnTicket } from "#tests/support/tickets.ts";

/** Work that comes up less often than the ten tickets of `tickets.browser.test.ts`. */
interface Task {
  readonly name: string;
  /** Whose actions the palette lists. Without it, the palette finds the page that is named by the action. */
  readonly on?: "payer" | "corporate" | "trial" | "unconfirmed";
  readonly action: string;
  /** Texts to type, by label. */
  readonly type?: Readonly<Record<string, string>>;
  readonly press?: string;
  readonly sees: string | RegExp;
}

const tasks: readonly Task[] = [
  {
    name: "Confirmation email didn't arrive",
    on: "unconfirmed",
    action: "Resend Confirmation",
    press: "Send email",
    sees: "The email has been sent.",
  },
  {
    name: "Customer called",
    on: "payer",
    action: "Add a comment",
    type: { Comment: "Called about the tender." },
    press: "Save",
    sees: "Comment has been successfully saved.",
  },
  { name: "What happened to the account", on: "payer", action: "History", sees: "Show only" },
  { name: "What did they pay", on: "payer", action: "Billing", sees: "Payments" },
  { name: "Which licences", on: "payer", action: "Licences", sees: "Add A Licence" },
  {
    name: "Goodwill credit",
    on: "payer",
    action: "Add Credit",
    type: { Amount: "50", Reason: "Goodwill for an outage" },
    press: "Add Credit",
    sees: "of credit has been added.",
  },
  {
    name: "Wants to cancel",
    on: "payer",
    action: "Cancel Subscription",
    type: { Reason: "Cancelled by phone" },
    press: "Cancel Subscription",
    sees: "Resume Subscription",
  },
  {
    name: "Changed their mind",
    on: "payer",
    action: "Resume Subscription",
    type: { Reason: "Changed their mind" },
    press: "Resume Subscription",
    sees: "The subscription has been resumed.",
  },
  { name: "Why was the add-in refused", on: "trial", action: "View licence history", sees: "Refusals only" },
  {
    name: "Reached the deactivation limit",
    on: "trial",
    action: "Reset Licence Deactivation Counter",
    press: "Reset",
    sees: "The user's licence deactivation counter has been reset successfully.",
  },
  {
    name: "Someone else uses the account",
    on: "trial",
    action: "Sign out everywhere",
    press: "Sign out",
    sees: "The user has been signed out everywhere.",
  },
  { name: "Who has the seats", on: "corporate", action: "Seats", sees: /seats/ },
  {
    name: "Contract is longer",
    on: "corporate",
    action: "Extend Licence",
    type: { "Expiry Date": "31/12/2032" },
    press: "Save",
    sees: "You have successfully updated the licence.",
  },
  {
    name: "Contract has ended",
    on: "corporate",
    action: "Deactivate Licence",
    press: "Deactivate",
    sees: "Deactivated",
  },
  { name: "Add a discount", action: "Add a promo code", sees: "Code" },
  { name: "Figures for the board", action: "Dashboard", sees: "Active subscriptions" },
  { name: "Overdue payments", action: "Subscriptions", sees: "Subscriptions" },
  { name: "Tax for the quarter", action: "Tax", sees: "GST" },
  { name: "Who changed it", action: "Audit Log", sees: "Apply" },
  { name: "Is the service up", action: "Status", sees: "Version" },
];

test("lets an owner work on twenty more tasks in at most 3 screens and 5 clicks each", async ({ page }) => {
  const [payer, trial] = [await createCustomer(page), await createCustomer(page)];
  await payer.subscribe();
  await trial.startTrial();
  const corporate = await createCorporateCustomer(page);
  await addConcurrentLicence(page, corporate.id);
  const emails = {
    payer: payer.email,
    trial: trial.email,
    corporate: corporate.email,
    unconfirmed: await registerPerson(page),
  };
  await signIn(page, await createStaff(page, "owner"));
  for (const { name, on, action, type = {}, press, sees } of tasks) {
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
