import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { addDays, getCalendarDay, getStartOfDay } from "#schema/days.ts";
import { ManualInvoice } from "#api/billing/invoices/manual-invoice.entity.ts";
import { getBalanceCents } from "#api/billing/invoices/invoice-status.ts";
import { voidInvoice } from "#api/billing/invoices/void-invoice.ts";
import { recordPayment } from "#api/billing/payments/record-payment.ts";
import { setPlanPrice } from "#api/billing/prices/set-plan-price.ts";
import { TaxInvoice } from "#api/billing/invoices/tax-invoice.entity.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { buildPayment, createOpenInvoice } from "#tests/factories/manual-invoice.ts";
import { buildRefund, refundMutation } from "#tests/factories/refund.ts";
import { postSubscription } from "#tests/factories/subscription.ts";
import { createAdmin, createCorporateUser, createUser, signInAs } from "#tests/factories/user.ts";
import type { TestApp } from "#tests/support/test-app.ts";

const plans = ["xer-standard", "xer-plus", "xer-professional"].flatMap((slug) => [`${slug}-monthly`, `${slug}-yearly`]);
const some = fc.nat({ max: 1_000 });

/** One event of a random business. `pick` chooses the customer or invoice it is about. */
export const businessStep = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("wait" as const), days: fc.integer({ min: 1, max: 40 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("midnight" as const),
      zone: fc.constantFrom("UTC", "seller"),
      before: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("subscribe" as const),
      plan: fc.constantFrom(...plans),
      isAbroad: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("change" as const), pick: some, plan: fc.constantFrom(...plans) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("cancel" as const), pick: some }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("pause" as const),
      pick: some,
      days: fc.integer({ min: 1, max: 80 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("refund" as const),
      pick: some,
      share: fc.constantFrom(0.01, 0.333, 0.5, 1),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("price" as const), audCents: fc.integer({ min: 9_999, max: 20_001 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("invoice" as const),
      unitCents: fc.integer({ min: 1, max: 333_333 }),
      quantity: fc.integer({ min: 1, max: 7 }),
      isAbroad: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("pay" as const), pick: some, share: fc.constantFrom(0.1, 0.333, 1, 1.2) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("pay-by-card" as const), pick: some }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("void" as const), pick: some }) },
);
export type BusinessStep = typeof businessStep extends fc.Arbitrary<infer Step> ? Step : never;

/** A business whose steps go through the product's own API and actions. */
export interface Business {
  run(step: BusinessStep): Promise<void>;
}

const PAUSE = "mutation ($until: Date!) { pauseSubscription(until: $until) { message } }";
const PAY_BY_CARD = "mutation ($input: PayInvoiceInput!) { payInvoice(input: $input) { state } }";

const pickFrom = <One>(list: readonly One[], pick: number): One | undefined => list[pick % Math.max(1, list.length)];

/** Starts a business in a test app. */
export async function startBusiness(app: TestApp): Promise<Business> {
  const staff = await createAdmin(app);
  const subscribers: User[] = [];
  const country = (isAbroad: boolean) => (isAbroad ? { country: "New Zealand", city: "Wellington" } : {});

  async function advanceBy(ms: number): Promise<void> {
    const body = { advanceSeconds: Math.max(1, Math.round(ms / 1_000)) };
    const { status, text } = await app.rest("POST", "/dev/clock", { body });
    if (status !== 200) throw new Error(`POST /dev/clock returned ${status} ${text}`);
  }

  async function findManual(pick: number, statuses: readonly string[]): Promise<ManualInvoice | undefined> {
    const open = await app
      .context()
      .em.find(
        ManualInvoice,
        { status: { $in: [...statuses] as never } },
        { orderBy: { createdAt: "asc", id: "asc" } },
      );
    return pickFrom(open, pick);
  }

  async function refund(pick: number, share: number): Promise<void> {
    const where = { kind: "invoice", providerInvoiceId: { $ne: null } } as const;
    const invoices = await app.context().em.find(TaxInvoice, where, { orderBy: { number: "asc" } });
    const invoice = pickFrom(invoices, pick);
    if (!invoice) return;
    const amountCents = share === 1 ? null : Math.max(1, Math.floor(invoice.totalCents * share));
    // A refund beyond what is left is rejected, which must change nothing.
    const input = buildRefund(invoice.id, { amountCents });
    await app.graphql(refundMutation, { input }, await signInAs(app, staff));
  }

  return {
    async run(step) {
      const now = app.clock.now();
      if (step.kind === "wait") return advanceBy(step.days * 86_400_000);
      if (step.kind === "midnight") {
        const zone = step.zone === "UTC" ? "UTC" : undefined;
        const midnight = getStartOfDay(addDays(getCalendarDay(now, zone), 1), zone).getTime();
        return advanceBy(midnight - now.getTime() - (step.before ? 1_000 : 0));
      }
      if (step.kind === "subscribe") {
        const user = await createUser(app, country(step.isAbroad));
        await postSubscription(app, await signInAs(app, user), { productId: step.plan });
        subscribers.push(user);
      } else if (step.kind === "change" || step.kind === "cancel") {
        const user = pickFrom(subscribers, step.pick);
        if (!user) return;
        const path = step.kind === "cancel" ? "cancel-subscription" : `update-subscription/${step.plan}`;
        const method = step.kind === "cancel" ? "PATCH" : "PUT";
        await app.rest(method, `/v1/subscriptions/${path}`, { token: await signInAs(app, user) });
      } else if (step.kind === "pause") {
        const user = pickFrom(subscribers, step.pick);
        const until = addDays(getCalendarDay(now), step.days);
        if (user) await app.graphql(PAUSE, { until }, await signInAs(app, user));
      } else if (step.kind === "refund") await refund(step.pick, step.share);
      else if (step.kind === "price")
        await setPlanPrice(app.context(), {
          priceId: "xer-professional-monthly",
          audCents: step.audCents,
          usdCents: step.audCents,
          from: undefined,
          reason: "Random",
          key: randomUUID(),
        });
      else if (step.kind === "invoice") {
        const user = await createCorporateUser(app, country(step.isAbroad));
        const lines = [{ description: "Work", quantity: step.quantity, unitCents: step.unitCents }];
        await createOpenInvoice(app, user, { lines });
      } else if (step.kind === "pay") {
        const invoice = await findManual(step.pick, ["open"]);
        if (!invoice) return;
        const expected = getBalanceCents(invoice);
        const amountCents = Math.max(1, Math.floor(expected * step.share));
        await recordPayment(app.context(), invoice.id, buildPayment(app, { amountCents }), {
          key: randomUUID(),
          expected,
        });
      } else if (step.kind === "pay-by-card") {
        const invoice = await findManual(step.pick, ["open"]);
        if (!invoice) return;
        const input = {
          invoiceId: invoice.id,
          paymentMethodId: "pm_card_visa",
          expectedBalanceCents: getBalanceCents(invoice),
          key: randomUUID(),
        };
        const { user } = await app.context().em.findOneOrFail(ManualInvoice, invoice.id, { populate: ["user"] });
        await app.graphql(PAY_BY_CARD, { input }, await signInAs(app, user));
      } else {
        const invoice = await findManual(step.pick, ["open"]);
        if (invoice) await voidInvoice(app.context(), invoice.id, "Random");
      }
    },
  };
}
