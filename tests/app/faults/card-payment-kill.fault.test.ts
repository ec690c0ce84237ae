import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { createOpenInvoice } from "#tests/factories/manual-invoice.ts";
import { advanceTime } from "#tests/factories/subscription.ts";
import { createCorporateUser } from "#tests/factories/user.ts";
import { startProgram } from "#tests/support/programs.ts";
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
    const pattern = new RegExp(`^${path.replace(/:[a-z]+/g, "[^/]+")}$`);
    const from = app.simulator.requests.length;
    app.simulator.faults.add({ method, path, kind: "hang", moment });
    const given = {
      database: app.database,
      dataDir: app.services.config.dataDir,
      simulatorUrl: app.simulator.url,
      userId: user.id,
      offsetMs: app.clock.now().getTime() - Date.now(),
      input: {
        invoiceId: invoice.id,
        paymentMethodId: "pm_card_visa",
        expectedBalanceCents: TOTAL,
        key: randomUUID(),
      },
    };
    const child = await startProgram("pause-card-payment", [JSON.stringify(given)]);
    const isReached = () =>
      app.simulator.requests
        .slice(from)
        .some((one) => one.method === method && pattern.test(one.path) && one.status === undefined);
    for (const startedAt = performance.now(); !isReached(); await sleep(10))
      if (performance.now() - startedAt > 120_000) throw new Error(`${method} ${path} was never requested`);
    // The provider finishes what it handles before the process is killed.
    await sleep(100);
    child.kill("SIGKILL");
    await once(child, "exit");
    app.simulator.faults.clear();

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
