import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { finishRefund } from "#api/billing/refunds/finish-refund.ts";
import { Refund } from "#api/billing/refunds/refund.entity.ts";
import { advanceTime, getCustomerId } from "#tests/factories/subscription.ts";
import { createAdmin, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { createCardRequests, TOTAL } from "./request-card-payments.ts";

const app = await startTestApp({ rateLimits: false });
const finance = await signInAs(app, await createAdmin(app, { staffRoles: ["finance"] }));
const { send, pay, payByCard, createOpen, listCharges } = createCardRequests(app, finance);

test("refunds a card payment through the provider, once, with an adjustment note", async () => {
  const { user, token, invoice } = await createOpen();
  await payByCard(token, invoice.id);
  const { taxInvoiceId: invoiceId } = invoice;
  expect(await send("refundPreview { amountCents }", { invoiceId })).toEqual({ amountCents: TOTAL });
  const input = { invoiceId, amountCents: 33_000, reason: "Two seats less", key: randomUUID() };
  const refund = () => send("refundInvoice { status isToCard adjustmentNote { totalCents } }", { input });
  const done = { status: "DONE", isToCard: true, adjustmentNote: { totalCents: -33_000 } };
  for (let tries = 0; tries < 2; tries++) expect(await refund()).toEqual(done);
  expect(await listCharges(user.id)).toEqual([[TOTAL, 33_000]]);
});

test("refunds the unused time that the card paid, and says what all of it is worth", async () => {
  const { user, token, invoice } = await createOpen();
  await pay(invoice, { amountCents: TOTAL - 30_000 });
  await payByCard(token, invoice.id, { expectedBalanceCents: 30_000 });
  const { taxInvoiceId: invoiceId } = invoice;
  const call = "refundPreview { amountCents isToCard unused { amountCents } }";
  const { unused, ...shown } = await send(call, { invoiceId, unusedTime: true });
  expect(shown).toEqual({ amountCents: 30_000, isToCard: true });
  expect(unused.amountCents).toBeGreaterThan(100_000);
  const refund = (changes: object) => {
    const input = { invoiceId, reason: "Not needed any more", key: randomUUID(), ...changes };
    return send("refundInvoice { status isToCard licence }", { input });
  };
  const ended = { status: "DONE", isToCard: true, licence: "END_NOW" };
  expect(await refund({ amountCents: 30_000, unusedTime: true })).toEqual(ended);
  const rest = { status: "DONE", isToCard: false, licence: "KEEP" };
  expect(await refund({ amountCents: unused.amountCents - 30_000 })).toEqual(rest);
  expect(await listCharges(user.id)).toEqual([[30_000, 30_000]]);
});

test("issues the adjustment note of a refund when the bank has confirmed it", async () => {
  const { token, invoice } = await createOpen();
  await payByCard(token, invoice.id);
  app.simulator.faults.add({ method: "POST", path: "/v1/refunds", kind: "error", moment: "after", times: 100 });
  const input = { invoiceId: invoice.taxInvoiceId, amountCents: 33_000, reason: "Two seats less", key: randomUUID() };
  const { id } = await send("refundInvoice { id }", { input });
  app.simulator.faults.clear();
  const checkAgain = async (status: string) => {
    const sql = `update payment_simulator.objects set body = body || jsonb_build_object('status', $1::text)
        where type = 'refund' and body->'metadata'->>'refundId' = $2`;
    await app.services.pool.query(sql, [status, id]);
    await finishRefund(app.context(), id);
    return app.context().em.findOneOrFail(Refund, id, { populate: ["adjustmentNote"] });
  };
  expect(await checkAgain("pending")).toMatchObject({ status: "PENDING", adjustmentNote: null });
  expect(await checkAgain("succeeded")).toMatchObject({ status: "DONE", adjustmentNote: { totalCents: -33_000 } });
});

test("records with a refund of the whole amount that the bank took a payment back", async () => {
  const { user, token, invoice } = await createOpen();
  await payByCard(token, invoice.id, { paymentMethodId: "pm_card_createDispute" });
  await advanceTime(app, 0.001);
  const sql = `select d.id from payment_simulator.objects d join payment_simulator.objects c on c.id = d.body->>'charge'
      where d.type = 'dispute' and c.customer = $1`;
  const { rows } = await app.services.pool.query(sql, [await getCustomerId(app, user.id)]);
  const { url, secretKey } = app.simulator;
  await fetch(`${url}/v1/test_helpers/disputes/${rows[0].id}/close`, {
    method: "POST",
    headers: { authorization: `Bearer ${secretKey}` },
    body: new URLSearchParams({ outcome: "lost" }),
  });
  const refund = (amountCents: number) => {
    const input = { invoiceId: invoice.taxInvoiceId, amountCents, reason: "Dispute lost", key: randomUUID() };
    return send("refundInvoice { status adjustmentNote { description totalCents } }", { input });
  };
  await expect(refund(100)).rejects.toThrow("The bank took A$1,100.00 back. Refund exactly this amount to record it.");
  const description = `Payment of tax invoice ${invoice.number} taken back by the bank`;
  const adjustmentNote = { description, totalCents: -TOTAL };
  expect(await refund(TOTAL)).toEqual({ status: "DONE", adjustmentNote });
});
