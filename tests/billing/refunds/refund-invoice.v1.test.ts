import { afterEach, expect, test, vi } from "vitest";
import { MINUTE } from "#api/platform/clock.ts";
import { formatAud } from "#schema/money.ts";
import { buildRefund, createPaidInvoice, loadRefunded, refundMutation } from "#tests/factories/refund.ts";
import { advanceTime, listProviderInvoices, stopRenewals } from "#tests/factories/subscription.ts";
import { createOpenInvoice } from "#tests/factories/manual-invoice.ts";
import { createInvoiceRequests } from "#tests/billing/invoices/request-invoices.ts";
import { createAdmin, createCorporateUser, signInAs } from "#tests/factories/user.ts";
import { listAuditEntries } from "#tests/support/audit.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
afterEach(() => stopRenewals(app));
const TOTAL = 16_495;
const GST = 1_500;

const refund = (input: object, token: string) => app.call(refundMutation, { input }, token);

const preview = (invoiceId: string, token: string, terms: Record<string, unknown> = {}) =>
  app.call("refundPreview", { invoiceId, ...terms }, token);

test("previews exactly what a full refund of the current period does, and does it", async () => {
  const { user, invoiceId, staffToken } = await createPaidInvoice(app);
  const shown = await preview(invoiceId, staffToken);
  expect(shown).toMatchObject({
    remainingCents: TOTAL,
    amountCents: TOTAL,
    gstCents: GST,
    hasSubscription: true,
    suggestedLicence: "END_NOW",
    licence: "END_NOW",
    isToCard: true,
    cardLast4: "4242",
    supportCode: null,
    renewsAt: null,
  });
  // The subscription ends with the refund.
  expect(Math.abs(Date.parse(shown.endsAt) - app.clock.now().getTime())).toBeLessThan(MINUTE);

  expect(await refund(buildRefund(invoiceId, { remainingCents: TOTAL }), staffToken)).toMatchObject({
    status: "DONE",
    amountCents: TOTAL,
    gstCents: GST,
    isToCard: true,
    adjustmentNote: { totalCents: -TOTAL, gstCents: -GST },
  });
  const after = await loadRefunded(app, user.id);
  expect(after.licence.revokedAt).not.toBeNull();
  expect(after.subscription.status).toBe("cancelled");
  const document = `query ($id: ID!) { user(id: $id) { billingSubscriptions { status periodEndsAt licenceExpiresAt } }
       invoices(filter: { userId: $id }) { rows { kind status } } paid: invoices(filter: { userId: $id, status: PAID }) { rows { kind } } }`;
  const { data: billing } = await app.graphql(document, { id: user.id }, staffToken);
  const [ended] = billing.user.billingSubscriptions;
  expect(ended.status).toBe("ENDED");
  for (const end of [ended.periodEndsAt, ended.licenceExpiresAt])
    expect(new Date(end).getTime()).toBeLessThanOrEqual(app.clock.now().getTime());
  expect(billing.invoices.rows).toContainEqual({ kind: "ADJUSTMENT", status: "REFUNDED" });
  expect(billing.paid.rows).toEqual([{ kind: "INVOICE" }]);
  const request = { token: staffToken, body: { userId: user.id, format: "csv" } };
  expect((await app.rest("POST", "/v1/reports/download-invoices", request)).text).toContain("Refunded");
  expect(after.notes).toEqual([{ total_cents: -TOTAL, gst_cents: -GST }]);
  expect((await listProviderInvoices(app, user.id))[0]?.refunds.map((one) => one.amountCents)).toEqual([TOTAL]);
  const note = { subject: expect.stringContaining("adjustment note") };
  expect(await listEmailsTo(app, user.email)).toContainEqual(expect.objectContaining(note));
});

test("keeps the licence and the subscription after a full refund if staff choose so, also after later syncs", async () => {
  const { user, invoiceId, staffToken } = await createPaidInvoice(app);
  await refund(buildRefund(invoiceId, { licence: "KEEP" }), staffToken);
  const { licence, subscription, notes } = await loadRefunded(app, user.id);
  expect([licence.revokedAt, subscription.status, notes.length]).toEqual([null, "active", 1]);
  await advanceTime(app, 32);
  const later = await loadRefunded(app, user.id);
  expect([later.licence.revokedAt, later.subscription.status]).toEqual([null, "active"]);
  expect(later.licence.expiresAt.getTime()).toBeGreaterThan(licence.expiresAt.getTime());
});

test("leaves the licence after a partial refund, unless staff end it now or with the period", async () => {
  const { user, invoiceId, staffToken } = await createPaidInvoice(app);
  const part = { suggestedLicence: "KEEP", gstCents: 455 };
  expect(await preview(invoiceId, staffToken, { amountCents: 5_000 })).toMatchObject(part);
  await refund(buildRefund(invoiceId, { amountCents: 5_000 }), staffToken);
  const kept = await loadRefunded(app, user.id);
  expect([kept.licence.revokedAt, kept.subscription.status]).toEqual([null, "active"]);
  expect(kept.notes).toEqual([{ total_cents: -5_000, gst_cents: -455 }]);
  const { reason } = buildRefund(invoiceId);
  const after = { refunded: "A$50.00", gst: "A$4.55", licence: "Stays as it is", reason };
  const expected = expect.objectContaining({ action: "refund-invoice", after: expect.objectContaining(after) });
  expect(await listAuditEntries(app, user.id)).toContainEqual(expected);

  const leave = { amountCents: 1_000, licence: "END_AT_PERIOD_END" };
  const periodEnd = kept.subscription.currentPeriodEndsAt.toISOString();
  expect(await preview(invoiceId, staffToken, leave)).toMatchObject({ renewsAt: null, endsAt: periodEnd });
  const staying = { renewsAt: periodEnd, endsAt: null };
  expect(await preview(invoiceId, staffToken, { ...leave, licence: "KEEP" })).toMatchObject(staying);
  await refund(buildRefund(invoiceId, leave), staffToken);
  const leaving = await loadRefunded(app, user.id);
  const { currentPeriodEndsAt, isCancelledAtPeriodEnd, status } = leaving.subscription;
  expect([leaving.licence.revokedAt, status, isCancelledAtPeriodEnd]).toEqual([null, "active", true]);
  expect(leaving.licence.expiresAt).toEqual(currentPeriodEndsAt);

  await refund(buildRefund(invoiceId, { amountCents: 1_000, licence: "END_NOW" }), staffToken);
  const ended = await loadRefunded(app, user.id);
  expect(ended.licence.revokedAt).not.toBeNull();
  expect(ended.subscription.status).toBe("cancelled");
});

test("refunds the rest with exactly the remaining GST, and nothing beyond it", async () => {
  const { user, invoiceId, staffToken } = await createPaidInvoice(app);
  for (const amountCents of [3_333, 3_333]) await refund(buildRefund(invoiceId, { amountCents }), staffToken);
  await expect(refund(buildRefund(invoiceId, { amountCents: 9_830 }), staffToken)).rejects.toMatchObject({
    fields: { amountCents: ["At most A$98.29 can be refunded."] },
  });
  await refund(buildRefund(invoiceId, { licence: "KEEP" }), staffToken);
  const { notes } = await loadRefunded(app, user.id);
  expect(notes.reduce((all, note) => all + note.total_cents, 0)).toBe(-TOTAL);
  expect(notes.reduce((all, note) => all + note.gst_cents, 0)).toBe(-GST);
  await expect(refund(buildRefund(invoiceId), staffToken)).rejects.toThrow("has already been refunded in full");
});

test("returns the first refund for a repeated key, and refuses a refund based on an outdated preview", async () => {
  const { user, invoiceId, staffToken } = await createPaidInvoice(app);
  const input = buildRefund(invoiceId, { amountCents: 2_000, remainingCents: TOTAL });
  const first = await refund(input, staffToken);
  expect(await refund(input, staffToken)).toEqual(first);
  expect(await refund({ ...input, invoiceId: invoiceId.toUpperCase() }, staffToken)).toEqual(first);
  const outdated = refund({ ...buildRefund(invoiceId), amountCents: 2_000, remainingCents: TOTAL }, staffToken);
  const expected = { message: expect.stringContaining(`${formatAud(TOTAL - 2_000)} is left`), code: "CONFLICT" };
  await expect(outdated).rejects.toMatchObject(expected);
  expect((await loadRefunded(app, user.id)).notes).toHaveLength(1);
  await expect(refund(buildRefund(invoiceId, { reason: " " }), staffToken)).rejects.toHaveProperty("fields.reason");
});

test("keeps a refund pending while the provider is unreachable, and finishes it once later", async () => {
  const { user, invoiceId, staffToken } = await createPaidInvoice(app);
  app.simulator.faults.add({ method: "POST", path: "/v1/refunds", kind: "error", times: 100 });
  const pending = await refund(buildRefund(invoiceId), staffToken);
  expect(pending).toMatchObject({ status: "PENDING", adjustmentNote: null });
  // What is pending can't be refunded again.
  await expect(refund(buildRefund(invoiceId), staffToken)).rejects.toMatchObject({ code: "CONFLICT" });
  app.simulator.faults.clear();
  await advanceTime(app, 0.001);
  const { notes, licence } = await loadRefunded(app, user.id);
  expect(notes).toEqual([{ total_cents: -TOTAL, gst_cents: -GST }]);
  expect(licence.revokedAt).not.toBeNull();
  expect((await listProviderInvoices(app, user.id))[0]?.refunds).toHaveLength(1);
});

test("cancels a subscription once, which the customer resumes before the bank confirms the refund", async () => {
  const { user, invoiceId, staffToken } = await createPaidInvoice(app);
  const unconfirmed = vi.spyOn(app.services.payments, "refundAmount").mockResolvedValue(null);
  const input = buildRefund(invoiceId, { amountCents: 1_000, licence: "END_AT_PERIOD_END" });
  expect(await refund(input, staffToken)).toMatchObject({ status: "PENDING" });
  const isCancelled = async () => (await loadRefunded(app, user.id)).subscription.isCancelledAtPeriodEnd;
  expect(await isCancelled()).toBe(true);
  const token = await signInAs(app, user);
  expect((await app.rest("PATCH", "/v1/subscriptions/resume-subscription", { token })).status).toBe(200);
  await advanceTime(app, 0.001);
  expect(await isCancelled()).toBe(false);
  unconfirmed.mockRestore();
  await advanceTime(app, 0.001);
  expect(await refund(input, staffToken)).toMatchObject({ status: "DONE" });
  expect(await isCancelled()).toBe(false);
});

test("finishes a refund behind more older ones that stay pending than a batch has", async () => {
  const { invoiceId, staffToken } = await createPaidInvoice(app);
  app.simulator.faults.add({ method: "POST", path: "/v1/refunds", kind: "error", times: 100 });
  const { id } = await refund(buildRefund(invoiceId), staffToken);
  // Refunds of a user without a customer at the provider stay pending.
  const other = await createCorporateUser(app);
  await app.services.pool.query(
    `insert into refunds
     select (jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid(), 'key', gen_random_uuid(),
              'user_id', $2::text, 'created_at', r.created_at - interval '1 day'))).*
       from refunds r, generate_series(1, 60) where r.id = $1`,
    [id, other.id],
  );
  app.simulator.faults.clear();
  await advanceTime(app, 0.001);
  const { rows } = await app.services.pool.query("select status from refunds where id = $1", [id]);
  await app.services.pool.query("delete from refunds where user_id = $1", [other.id]);
  expect(rows).toEqual([{ status: "DONE" }]);
});

test("reports why the provider refuses a refund, and allows another one", async () => {
  const { user, invoiceId, staffToken } = await createPaidInvoice(app);
  const [paid] = await listProviderInvoices(app, user.id);
  // A refund in the provider's dashboard that we don't know yet.
  app.simulator.webhooks.setBehaviour({ drop: true });
  await app.services.payments.refundAmount({ invoiceId: paid?.id ?? "", amountCents: 10_000, refundId: "dashboard" });
  app.simulator.webhooks.setBehaviour({});
  const refused = refund(buildRefund(invoiceId), staffToken);
  await expect(refused).rejects.toThrow("The amount is more than what is left of the payment.");
  expect((await listAuditEntries(app, user.id)).map(({ action }) => action)).toContain("refund-failed");
  await advanceTime(app, 0.001);
  await refund(buildRefund(invoiceId, { licence: "KEEP" }), staffToken);
  expect((await loadRefunded(app, user.id)).notes.map((note) => note.total_cents)).toEqual([-10_000, -6_495]);
});

test("records the refund of a bank payment with an adjustment note, without calling the provider", async () => {
  const customer = await createCorporateUser(app);
  const staffToken = await signInAs(app, await createAdmin(app, { staffRoles: ["finance"] }));
  const { pay } = createInvoiceRequests(app, staffToken);
  const manual = await createOpenInvoice(app, customer);
  const invoiceId = manual.taxInvoice?.id ?? "";
  await expect(refund(buildRefund(invoiceId), staffToken)).rejects.toThrow("This invoice hasn't been paid yet.");
  await pay({ id: manual.id, balanceCents: 110_000 });
  expect(await preview(invoiceId, staffToken)).toMatchObject({
    amountCents: 110_000,
    gstCents: 10_000,
    hasSubscription: false,
    licence: "KEEP",
    isToCard: false,
    supportCode: null,
    renewsAt: null,
    endsAt: null,
  });
  const requests = app.simulator.requests.length;
  const expected = { status: "DONE", isToCard: false, adjustmentNote: { totalCents: -33_000, gstCents: -3_000 } };
  expect(await refund(buildRefund(invoiceId, { amountCents: 33_000 }), staffToken)).toMatchObject(expected);
  expect(app.simulator.requests).toHaveLength(requests);
  expect((await preview(invoiceId, staffToken)).remainingCents).toBe(77_000);
});
