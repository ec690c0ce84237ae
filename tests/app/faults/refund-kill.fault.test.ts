import { expect, test } from "vitest";
import { buildRefund, createPaidInvoice, loadRefunded } from "#tests/factories/refund.ts";
import { advanceTime, listProviderInvoices } from "#tests/factories/subscription.ts";
import { createAdmin } from "#tests/factories/user.ts";
import { killAtProvider } from "#tests/support/kill-at-provider.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const TOTAL = 16_495;

/** Moment at which the process is killed: before or after the provider handles a request, and before the response arrives. */
const points = [
  ["GET", "/v1/invoices/:id", "before"],
  ["POST", "/v1/refunds", "before"],
  ["POST", "/v1/refunds", "after"],
  ["POST", "/v1/subscriptions/:id", "after"],
  ["GET", "/v1/charges", "after"],
] as const;

test.each(points)(
  "refunds once, with one adjustment note, if the process is killed while refunding (%s %s, %s it is handled)",
  { timeout: 180_000 },
  async (method, path, moment) => {
    const { user, invoiceId } = await createPaidInvoice(app);
    const admin = await createAdmin(app);
    await killAtProvider(app, method, path, moment, {
      kind: "refund",
      userId: admin.id,
      input: buildRefund(invoiceId, { licence: "END_AT_PERIOD_END" }),
    });

    await advanceTime(app, 0.001);
    const { rows } = await app.services.pool.query("select status from refunds where user_id = $1", [user.id]);
    expect(rows).toEqual([{ status: "DONE" }]);
    const [invoice] = await listProviderInvoices(app, user.id);
    expect(invoice?.refunds.map((refund) => refund.amountCents)).toEqual([TOTAL]);
    const { notes, licence, subscription } = await loadRefunded(app, user.id);
    expect(notes).toEqual([{ total_cents: -TOTAL, gst_cents: -1_500 }]);
    expect([licence.revokedAt, subscription.isCancelledAtPeriodEnd]).toEqual([null, true]);
  },
);
