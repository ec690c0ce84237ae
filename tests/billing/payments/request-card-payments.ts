import { randomUUID } from "node:crypto";
import { addDays, getCalendarDay } from "#schema/days.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { createInvoiceRequests } from "#tests/billing/invoices/request-invoices.ts";
import { getCustomerId } from "#tests/factories/subscription.ts";
import { createCorporateUser, signInAs } from "#tests/factories/user.ts";
import type { TestApp } from "#tests/support/test-app.ts";

/** Amount of each invoice of {@link createCardRequests}, in cents. */
export const TOTAL = 110_000;

export const PAY = "payInvoice { state message id clientSecret }";

export const buildInput = (invoiceId: string, changes: object = {}) => ({
  invoiceId,
  paymentMethodId: "pm_card_visa",
  expectedBalanceCents: TOTAL,
  key: randomUUID(),
  ...changes,
});

/** Returns functions that open invoices as the finance admin of `staffToken` and pay them by card as the customer. */
export function createCardRequests(app: TestApp, staffToken: string) {
  const requests = createInvoiceRequests(app, staffToken);
  const until = addDays(getCalendarDay(app.clock.now()), 365);
  const payByCard = (token: string, invoiceId: string, changes: object = {}) =>
    app.call(PAY, { input: buildInput(invoiceId, changes) }, token);

  const createOpen = async (user?: User) => {
    const customer = user ?? (await createCorporateUser(app));
    const licence = { productLevel: "CORPORATE_DARK_CONCURRENT", numberOfUsers: 5, numberOfMachines: 10, until };
    const invoice = await requests.open(customer, { licence });
    return { user: customer, token: await signInAs(app, customer), invoice };
  };

  /** Lists the amounts that the provider charged a user and returned to them. */
  const listCharges = async (userId: string): Promise<[number, number][]> => {
    const customer = await getCustomerId(app, userId);
    const sql = `select (body->>'amount')::int as amount, (body->>'amount_refunded')::int as refunded
       from payment_simulator.objects where type = 'charge' and customer = $1 and body->>'status' = 'succeeded'`;
    const { rows } = await app.services.pool.query(sql, [customer]);
    return rows.map(({ amount, refunded }) => [amount, refunded]);
  };

  return { ...requests, until, payByCard, createOpen, listCharges };
}
