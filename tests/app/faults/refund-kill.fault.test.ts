import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { buildRefund, createPaidInvoice, loadRefunded } from "#tests/factories/refund.ts";
import { advanceTime, listProviderInvoices } from "#tests/factories/subscription.ts";
import { createAdmin } from "#tests/factories/user.ts";
import { startProgram } from "#tests/support/programs.ts";
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
    const pattern = new RegExp(`^${path.replace(/:[a-z]+/g, "[^/]+")}$`);
    const from = app.simulator.requests.length;
    app.simulator.faults.add({ method, path, kind: "hang", moment });
    const given = {
      database: app.database,
      dataDir: app.services.config.dataDir,
      simulatorUrl: app.simulator.url,
      adminId: admin.id,
      offsetMs: app.clock.now().getTime() - Date.now(),
      input: buildRefund(invoiceId, { licence: "END_AT_PERIOD_END" }),
    };
    const child = await startProgram("pause-refund", [JSON.stringify(given)]);
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
    const { rows } = await app.services.pool.query("select status from refunds where user_id = $1", [user.id]);
    expect(rows).toEqual([{ status: "DONE" }]);
    const [invoice] = await listProviderInvoices(app, user.id);
    expect(invoice?.refunds.map((refund) => refund.amountCents)).toEqual([TOTAL]);
    const { notes, licence, subscription } = await loadRefunded(app, user.id);
    expect(notes).toEqual([{ total_cents: -TOTAL, gst_cents: -1_500 }]);
    expect([licence.revokedAt, subscription.isCancelledAtPeriodEnd]).toEqual([null, true]);
  },
);
