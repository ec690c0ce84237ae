import { expect, test } from "vitest";
import { addDays, getCalendarDay } from "#schema/days.ts";
import { readConfig } from "#api/config.ts";
import { sendInvoiceReminders } from "#api/billing/invoices/send-invoice-reminders.ts";
import { voidInvoice } from "#api/billing/invoices/void-invoice.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { DAY } from "#api/platform/clock.ts";
import { createContext } from "#api/platform/context.ts";
import { createOpenInvoice } from "#tests/factories/manual-invoice.ts";
import { createCorporateUser } from "#tests/factories/user.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { openSecondProcess } from "#tests/support/two-processes.ts";

const app = await startTestApp();
const other = await openSecondProcess(app);
const dueIn = (days: number) => addDays(getCalendarDay(app.clock.now()), days);

/** Runs the sweep in both processes `days` days from now, and returns the subjects of the reminders. */
async function remindAfter(user: User, days: number): Promise<string[]> {
  app.clock.setOffset(days * DAY);
  try {
    await Promise.all([app.services, other].map((services) => sendInvoiceReminders.run(createContext(services))));
  } finally {
    app.clock.setOffset(0);
  }
  const emails = await listEmailsTo(app, user.email);
  return emails.map(({ subject }) => subject).filter((subject) => / (is|was) due /.test(subject));
}

test("reminds a customer once 3 days before, on the due date, and 7 and 14 days after it", async () => {
  const user = await createCorporateUser(app);
  await createOpenInvoice(app, user, { dueDay: dueIn(10) });
  const counts: number[] = [];
  for (const day of [1, 6, 7, 8, 10, 11, 17, 18, 24, 25, 60]) counts.push((await remindAfter(user, day)).length);
  expect(counts).toEqual([0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4]);
});

test("sends only the latest reminder after an outage, and none that is too late", async () => {
  const user = await createCorporateUser(app);
  const { taxInvoice } = await createOpenInvoice(app, user, { dueDay: dueIn(10) });
  expect(await remindAfter(user, 18)).toEqual([expect.stringContaining(`Invoice ${taxInvoice?.number} was due on`)]);
  const late = await createCorporateUser(app);
  await createOpenInvoice(app, late, { dueDay: dueIn(10) });
  expect(await remindAfter(late, 22)).toEqual([]);
});

test("sends no reminder for a day before the invoice was issued, or for a void invoice", async () => {
  const user = await createCorporateUser(app);
  await createOpenInvoice(app, user, { dueDay: dueIn(1) });
  expect(await remindAfter(user, 0)).toEqual([]);
  expect(await remindAfter(user, 1)).toHaveLength(1);
  const cancelled = await createCorporateUser(app);
  const { id } = await createOpenInvoice(app, cancelled, { dueDay: dueIn(1) });
  await voidInvoice(app.context(), id, "Wrong customer");
  expect(await remindAfter(cancelled, 1)).toEqual([]);
});

test("reads the days from a setting", () => {
  const read = (days?: string) =>
    readConfig({ NODE_ENV: "test", ...(days === undefined ? {} : { INVOICE_REMINDER_DAYS: days }) })
      .invoiceReminderDays;
  expect(read()).toEqual([-3, 0, 7, 14]);
  expect(read("30, -1")).toEqual([-1, 30]);
  expect(read("")).toEqual([]);
  expect(() => read("soon")).toThrow("INVOICE_REMINDER_DAYS");
});
