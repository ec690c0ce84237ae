import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { createOpenInvoice } from "#tests/factories/manual-invoice.ts";
import { advanceTime } from "#tests/factories/subscription.ts";
import { createCorporateUser } from "#tests/factories/user.ts";
import { killAtProvider } from "#tests/support/kill-at-provider.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const TOTAL = 110_000;

/** Moment at which the process is killed, relative to the provider's handling of a request, and whether it was charged. */
const points = [
  ["GET", "/v1/payment_intents", "before", false],
  ["POST", "/v1/payment_intents", "before", false],
  ["POST", "/v1/payment_intents", "after", true],
  ["GET", "/v1/charges/:id", "after", true],
] as const;

test.each(points)(
  "records a charge once, and nothing without one, if the process is killed while paying (%s %s, %s it is handled)",
  { timeout: 180_000 },
  async (method, path, moment, isCharged) => {
    const user = await createCorporateUser(app);
    const invoice = await createOpenInvoice(app, user);
    await killAtProvider(app, method, path, moment, {
      kind: "card-payment",
      userId: user.id,
      input: {
        invoiceId: invoice.id,
        paymentMethodId: "pm_card_visa",
        expectedBalanceCents: TOTAL,
        key: randomUUID(),
      },
    });

    await advanceTime(app, 0.001);
    const { rows } = await app.services.pool.query(
      `select m.status, c.state, m.paid_cents as paid,
              (select count(*)::int from received_payments p where p.invoice_id = m.id) as payments
         from card_payments c join manual_invoices m on m.id = c.invoice_id where m.id = $1`,
      [invoice.id],
    );
    expect(rows).toEqual([
      isCharged
        ? { status: "paid", state: "paid", paid: TOTAL, payments: 1 }
        : { status: "open", state: "failed", paid: 0, payments: 0 },
    ]);
  },
);
