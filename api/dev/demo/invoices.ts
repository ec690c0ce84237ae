import { formatIsoDay } from "#schema/dates.ts";
import type { ManualInvoiceValues } from "#schema/manual-invoice.ts";
import { addCredit } from "#api/billing/credits/credits.ts";
import { createInvoice } from "#api/billing/invoices/edit-invoices.ts";
import { issueInvoice } from "#api/billing/invoices/issue-invoice.ts";
import { ManualInvoice } from "#api/billing/invoices/manual-invoice.entity.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { User } from "#api/people/users/user.entity.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database/database.ts";
import { addMonths } from "./history.ts";

/** A document or entry of the past, with its time. */
interface PastDocument {
  readonly at: Date;
  readonly run: (em: EntityManager) => Promise<void>;
}

/** Returns the demo invoices on purchase order, one of them overdue, and a credit, all of corporate@demo.test. */
export function listDemoInvoices(context: Context): PastDocument[] {
  const daysAgo = (days: number) => addMilliseconds(context.clock.now(), -days * DAY);
  const at = (moment: Date, em: EntityManager): Context => ({ ...context, em, clock: { now: () => moment } });
  const findCorporate = (em: EntityManager) => em.findOneOrFail(User, { email: "corporate@demo.test" });
  const issue = async (em: EntityManager, moment: Date, values: ManualInvoiceValues, key: string): Promise<void> => {
    const draft = await createInvoice(at(moment, em), (await findCorporate(em)).id, values, key);
    await issueInvoice(at(moment, em), draft.id, draft.revision);
  };
  const [overdue, open, credited] = [daysAgo(31), daysAgo(5), daysAgo(3)];
  return [
    {
      at: overdue,
      run: async (em) => {
        const key = "demo-invoice-overdue";
        const lines = [{ description: "Onsite training, half a day", quantity: 1, unitCents: 180_000 }];
        await issue(em, overdue, { lines, purchaseOrder: "PO-112907" }, key);
        // The customer got the last reminder, so the first sweep sends none.
        await em.nativeUpdate(ManualInvoice, { key }, { remindedDays: 14 });
      },
    },
    {
      at: open,
      run: async (em) => {
        const { id, productLevel, expiresAt } = await em.findOneOrFail(Licence, { user: await findCorporate(em) });
        await issue(
          em,
          open,
          {
            lines: [
              { description: "Corporate Dark Concurrent, a user for a year", quantity: 5, unitCents: 125_000 },
              { description: "Setup of the concurrent licence", quantity: 1, unitCents: 25_000, withoutPeriod: true },
            ],
            purchaseOrder: "PO-118820",
            licence: {
              licenceId: id,
              productLevel,
              numberOfUsers: 5,
              numberOfMachines: 10,
              until: formatIsoDay(addMonths(expiresAt, 12), "UTC"),
            },
          },
          "demo-invoice-open-01",
        );
      },
    },
    {
      at: credited,
      run: async (em) => {
        const values = { amountCents: 15_000, reason: "Two seats couldn't be used for a week in October" };
        await addCredit(at(credited, em), (await findCorporate(em)).id, values, "demo-credit-00001");
      },
    },
  ];
}
