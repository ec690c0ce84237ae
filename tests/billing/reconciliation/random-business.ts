import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect } from "vitest";
import { addDays, getCalendarDay, getEndOfDay, getStartOfDay, toDayNumber } from "#schema/days.ts";
import { addCredit } from "#api/billing/credits/credits.ts";
import { ManualInvoice } from "#api/billing/invoices/manual-invoice.entity.ts";
import { getBalanceCents } from "#api/billing/invoices/invoice-status.ts";
import { voidInvoice } from "#api/billing/invoices/void-invoice.ts";
import { selectJournal } from "#api/billing/journal/journal-sql.ts";
import { recordPayment } from "#api/billing/payments/record-payment.ts";
import { lockMonth } from "#api/billing/period-lock/period-lock.resolver.ts";
import { setPlanPrice } from "#api/billing/prices/set-plan-price.ts";
import { TaxInvoice } from "#api/billing/invoices/tax-invoice.entity.ts";
import { readMoneyMonths } from "#api/billing/revenue/read-money.ts";
import { readTaxSummary } from "#api/billing/tax/read-tax.ts";
import { Subscription } from "#api/billing/subscriptions/subscription.entity.ts";
import type { AppError } from "#api/platform/errors.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { buildPayment, createOpenInvoice } from "#tests/factories/manual-invoice.ts";
import { buildRefund, refundMutation } from "#tests/factories/refund.ts";
import { openSubscriptionActions } from "#tests/factories/subscription-actions.ts";
import { postSubscription } from "#tests/factories/subscription.ts";
import { createAdmin, createCorporateUser, createUser, signInAs } from "#tests/factories/user.ts";
import type { TestApp } from "#tests/support/test-app.ts";

const plans = ["xer-standard", "xer-plus", "xer-professional"].flatMap((slug) => [`${slug}-monthly`, `${slug}-yearly`]);
const pick = { pick: fc.nat({ max: 1_000 }) };
const whole = (min: number, max: number) => fc.integer({ min, max });
const plan = fc.constantFrom(...plans);

/** A kind of step, how often it happens, and its values. */
const step = <Kind extends string, Values extends object>(
  weight: number,
  kind: Kind,
  values: fc.Arbitrary<Values>,
) => ({
  weight,
  arbitrary: values.map((given) => ({ kind, ...given })),
});

/** One event of a random business. `pick` chooses the customer or invoice it is about. */
export const businessStep = fc.oneof(
  step(4, "wait", fc.record({ days: whole(1, 40) })),
  step(2, "midnight", fc.record({ zone: fc.constantFrom("UTC", "seller"), before: fc.boolean() })),
  step(1, "new-year", fc.record({ before: fc.boolean() })),
  step(4, "subscribe", fc.record({ plan, isAbroad: fc.boolean() })),
  step(2, "change", fc.record({ ...pick, plan })),
  step(1, "cancel", fc.record(pick)),
  step(1, "pause", fc.record({ ...pick, days: whole(1, 80) })),
  step(3, "refund", fc.record({ ...pick, share: fc.constantFrom(0.01, 0.333, 0.5, 1) })),
  step(1, "price", fc.record({ audCents: whole(9_999, 20_001) })),
  step(
    3,
    "invoice",
    fc.record({
      unitCents: whole(1, 333_333),
      quantity: whole(1, 7),
      isAbroad: fc.boolean(),
      ...pick,
      service: fc.option(fc.record({ start: whole(-60, 60), days: whole(1, 400) })),
    }),
  ),
  step(2, "credit", fc.record({ ...pick, amountCents: whole(1, 200_000), isPaid: fc.boolean() })),
  step(1, "end", fc.record(pick)),
  step(3, "pay", fc.record({ ...pick, share: fc.constantFrom(0.1, 0.333, 1, 1.2) })),
  step(1, "pay-by-card", fc.record(pick)),
  step(1, "void", fc.record(pick)),
  step(2, "reissue", fc.record(pick)),
  step(2, "lock", fc.record({})),
);
export type BusinessStep = typeof businessStep extends fc.Arbitrary<infer Step> ? Step : never;

/** A locked month, with its figures at the time. */
interface LockedMonth {
  readonly startDate: string;
  readonly endDate: string;
  readonly figures: unknown;
}

/** Reads everything that a locked month reports: money, GST on both bases, and the journal. */
export async function readLockedFigures(
  app: TestApp,
  { startDate, endDate }: Pick<LockedMonth, "startDate" | "endDate">,
): Promise<unknown> {
  const context = app.context();
  const days = { startDate: getStartOfDay(startDate), endDate: getEndOfDay(endDate) };
  const [month] = await readMoneyMonths(context, { startDate, endDate });
  const toSqlDay = (day: string) => `date '${day}'`;
  const journal = selectJournal([[toSqlDay(startDate), toSqlDay(addDays(endDate, 1))]]);
  const { rows } = await app.services.pool.query(
    `select j.day::text, j.event, j.number, j.account, j.cents from (${journal}) j order by 1, 2, 3, 4, 5`,
  );
  return {
    // Attempts are information and no entries, so late ones count.
    month: { ...month, failed: 0, recovered: 0 },
    cash: await readTaxSummary(context, { basis: "cash", ...days }),
    accrual: await readTaxSummary(context, { basis: "accrual", ...days }),
    journal: rows,
  };
}

/** A business whose steps go through the product's own API and actions. */
export interface Business {
  readonly locked: readonly LockedMonth[];
  run(step: BusinessStep): Promise<void>;
}

const pickFrom = <One>(list: readonly One[], pick: number): One | undefined => list[pick % Math.max(1, list.length)];

/** Starts a business in a test app. */
export async function startBusiness(app: TestApp): Promise<Business> {
  const staff = await createAdmin(app);
  const { run } = openSubscriptionActions(app);
  const subscribers: User[] = [];
  const corporates: User[] = [];
  const locked: LockedMonth[] = [];
  const country = (isAbroad: boolean) => (isAbroad ? { country: "New Zealand", city: "Wellington" } : {});

  async function advanceBy(ms: number): Promise<void> {
    const body = { advanceSeconds: Math.max(1, Math.round(ms / 1_000)) };
    const { status, text } = await app.rest("POST", "/dev/clock", { body });
    if (status !== 200) throw new Error(`POST /dev/clock returned ${status} ${text}`);
  }

  async function findManual(pick: number, statuses: readonly string[]): Promise<ManualInvoice | undefined> {
    const where = { status: { $in: [...statuses] as never } };
    const orderBy = { createdAt: "asc", id: "asc" } as const;
    return pickFrom(await app.context().em.find(ManualInvoice, where, { orderBy }), pick);
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

  async function reissue(pick: number): Promise<void> {
    const invoices = await app.context().em.find(TaxInvoice, {}, { orderBy: { number: "asc" } });
    const invoice = pickFrom(invoices, pick);
    if (!invoice) return;
    const buyer = { streetNumber: "3", streetName: "Albert Street", city: "X", state: "QLD", postCode: "4000" };
    const country = invoice.gstBasisPoints > 0 ? "Australia" : "New Zealand";
    const companyName = `Company ${pick}`;
    // One of a note, or of an invoice with a note, is rejected, which must change nothing.
    const values = { taxInvoiceId: invoice.id, buyer: { ...buyer, companyName, country }, reason: "Random" };
    await app.graphql("reissueInvoice { id }", values, await signInAs(app, staff));
  }

  /** Locks the month before this one, and keeps its figures. */
  async function lock(): Promise<void> {
    const endDate = addDays(`${getCalendarDay(app.clock.now()).slice(0, 7)}-01`, -1);
    const month = endDate.slice(0, 7);
    if (locked.some((one) => one.endDate === endDate)) return;
    await lockMonth(app.context(), { month, reason: "Random" });
    const period = { startDate: `${month}-01`, endDate };
    locked.push({ ...period, figures: await readLockedFigures(app, period) });
  }

  return {
    locked,
    async run(step) {
      const now = app.clock.now();
      if (step.kind === "wait") return advanceBy(step.days * 86_400_000);
      if (step.kind === "midnight") {
        const zone = step.zone === "UTC" ? "UTC" : undefined;
        const midnight = getStartOfDay(addDays(getCalendarDay(now, zone), 1), zone).getTime();
        return advanceBy(midnight - now.getTime() - (step.before ? 1_000 : 0));
      }
      if (step.kind === "new-year") {
        const today = getCalendarDay(now);
        const july = `${Number(today.slice(0, 4)) + (today >= addDays(`${today.slice(0, 4)}-07-01`, -1) ? 1 : 0)}-07-01`;
        if (toDayNumber(july) - toDayNumber(today) > 120) return;
        return advanceBy(getStartOfDay(july).getTime() - now.getTime() - (step.before ? 1_000 : 0));
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
        if (user) await app.graphql("pauseSubscription { message }", { until }, await signInAs(app, user));
      } else if (step.kind === "refund") await refund(step.pick, step.share);
      else if (step.kind === "price") {
        const price = { priceId: "xer-professional-monthly", audCents: step.audCents, usdCents: step.audCents };
        await setPlanPrice(app.context(), { ...price, from: undefined, reason: "Random", key: randomUUID() });
      } else if (step.kind === "invoice") {
        // Every second invoice is for a known customer, whose credit it uses.
        const known = step.pick % 2 ? pickFrom(corporates, step.pick) : undefined;
        const user = known ?? (await createCorporateUser(app, country(step.isAbroad)));
        if (!known) corporates.push(user);
        const firstDay = addDays(getCalendarDay(now), step.service?.start ?? 0);
        const days = step.service && { firstDay, lastDay: addDays(firstDay, step.service.days - 1) };
        const lines = [{ description: "Work", quantity: step.quantity, unitCents: step.unitCents, ...days }];
        await createOpenInvoice(app, user, { lines });
      } else if (step.kind === "credit") {
        const user = pickFrom(corporates, step.pick);
        const values = { amountCents: step.amountCents, reason: "Random", isPaid: step.isPaid };
        if (user) await addCredit(app.context(), user.id, values, randomUUID());
      } else if (step.kind === "end") {
        const user = pickFrom(subscribers, step.pick);
        const subscription = user && (await app.context().em.findOne(Subscription, { user: user.id }));
        // A subscription that has ended is rejected, which must change nothing.
        if (subscription) await run(subscription.id, "CANCEL_NOW", await signInAs(app, staff));
      } else if (step.kind === "pay") {
        const invoice = await findManual(step.pick, ["open"]);
        if (!invoice) return;
        const expected = getBalanceCents(invoice);
        const amountCents = Math.max(1, Math.floor(expected * step.share));
        const payment = buildPayment(app, { amountCents, receivedDay: addDays(getCalendarDay(now), -(step.pick % 3)) });
        // A payment of a locked day is rejected, which must change nothing.
        await recordPayment(app.context(), invoice.id, payment, { key: randomUUID(), expected }).catch(
          (error: AppError) => expect(error.code).toBe("BAD_USER_INPUT"),
        );
      } else if (step.kind === "pay-by-card") {
        const invoice = await findManual(step.pick, ["open"]);
        if (!invoice) return;
        const card = { paymentMethodId: "pm_card_visa", expectedBalanceCents: getBalanceCents(invoice) };
        const input = { invoiceId: invoice.id, ...card, key: randomUUID() };
        const { user } = await app.context().em.findOneOrFail(ManualInvoice, invoice.id, { populate: ["user"] });
        await app.graphql("payInvoice { state }", { input }, await signInAs(app, user));
      } else if (step.kind === "reissue") await reissue(step.pick);
      else if (step.kind === "lock") await lock();
      else {
        const invoice = await findManual(step.pick, ["open"]);
        if (invoice) await voidInvoice(app.context(), invoice.id, "Random");
      }
    },
  };
}
