import { sendBillingEmails } from "#api/billing/billing-contacts/billing-contacts.ts";
import { invoiceReminder } from "#api/messaging/emails/templates/invoice-reminder.tsx";
import { User } from "#api/people/users/user.entity.ts";
import type { Context } from "#api/platform/context.ts";
import { inTransaction, lockRow, query } from "#api/platform/database/database.ts";
import { defineDestructiveSweep } from "#api/platform/database/database-clock.ts";
import type { Sweep } from "#api/platform/jobs/sweeps.ts";
import { finishAll } from "#api/platform/jobs/finish-each.ts";
import { attachInvoice } from "#api/billing/invoices/invoice-file.ts";
import { toDay } from "#api/billing/revenue/money-figures.ts";
import { getBalanceCents } from "./invoice-status.ts";
import { ManualInvoice } from "./manual-invoice.entity.ts";

/** Number of days a reminder may be late, so that a weekend without email service skips none. */
const LATE_DAYS = 3;

/** Maximum number of reminders per batch. */
const BATCH_SIZE = 100;

interface DueReminder {
  readonly id: string;
  readonly userId: string;
  /** The reminder: days after the due date; negative before it. */
  readonly days: number;
  /** Days after the due date today, which are more if the reminder is late. */
  readonly daysPastDue: number;
}

/**
 * Emails reminders about open invoices on the days of INVOICE_REMINDER_DAYS, each once (docs/domain.md#reminders). An
 * invoice issued after the day of a reminder doesn't get it. Uses the database's clock.
 */
export const sendInvoiceReminders: Sweep = defineDestructiveSweep({
  name: "send-invoice-reminders",
  everySeconds: 60,
  async run(context, now) {
    const { invoiceReminderDays } = context.config;
    if (invoiceReminderDays.length === 0) return 0;
    const readBatch = async (afterId: string | null) => {
      const values = [now, invoiceReminderDays, LATE_DAYS, BATCH_SIZE, afterId];
      return (await context.pool.query<DueReminder>(dueRemindersSql, values)).rows;
    };
    return finishAll(context, readBatch, (due) => sendReminder(context, due));
  },
});

const daysPastDueSql = `${toDay("$1::timestamptz")} - ${toDay("m.due_at")}`;

const dueRemindersSql = `
  select m.id, m.user_id as "userId", r.days, ${daysPastDueSql} as "daysPastDue"
    from manual_invoices m
    join users u on u.id = m.user_id and u.archived_at is null and u.deleted_at is null
    cross join lateral (
      select max(d.days) as days from unnest($2::int[]) d (days)
       where ${daysPastDueSql} >= d.days) r
   where m.status = 'open' and r.days is not null
     and (m.reminded_days is null or m.reminded_days < r.days)
     and ${daysPastDueSql} - r.days <= $3
     and ${toDay("m.opened_at")} < ${toDay("m.due_at")} + r.days
     and ($5::uuid is null or m.id > $5)
   order by m.id limit $4`;

/**
 * Sends a reminder unless another process has sent it, the invoice was paid or voided, or the account was closed in the
 * meantime. The erasure of a deleted account wouldn't delete the email.
 */
async function sendReminder(context: Context, { id, userId, days, daysPastDue }: DueReminder): Promise<boolean> {
  return inTransaction({ em: context.em.fork() }, async (em) => {
    // Locked before the invoice, as by everything else that locks both.
    const user = await lockRow(em, User, userId);
    if (user.archivedAt) return false;
    const claimed = await query(
      em,
      `update manual_invoices set reminded_days = $2
        where id = $1 and status = 'open' and (reminded_days is null or reminded_days < $2) returning id`,
      [id, days],
    );
    if (claimed.length === 0) return false;
    const invoice = await em.findOneOrFail(ManualInvoice, id, { populate: ["taxInvoice"] });
    const { taxInvoice, dueAt, purchaseOrder } = invoice;
    if (!taxInvoice || !dueAt) return false;
    return sendBillingEmails(context, em, user, {
      template: invoiceReminder,
      data: {
        firstName: user.firstName,
        number: taxInvoice.number,
        dueCents: getBalanceCents(invoice),
        dueAt,
        days: daysPastDue,
        purchaseOrder,
        bank: taxInvoice.seller.bank ?? null,
      },
      attachment: attachInvoice(taxInvoice),
      dedupeKey: `invoice-reminder:${id}:${days}`,
    });
  });
}
