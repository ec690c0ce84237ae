import type Stripe from "stripe";
import type { StripeCatalogue } from "./stripe-catalogue.ts";
import type { FirstPayment, ProviderSubscription } from "./payments.ts";
import {
  type ChargeFacts,
  firstPaymentOf,
  idOf,
  invoiceOf,
  moment,
  paymentIntentsOf,
  priceOf,
  subscriptionOf,
} from "./stripe-objects.ts";

/** More of a customer's invoices, charges or subscriptions than this are not read: 40 years of months. */
const MOST = 500;

/** A customer's subscriptions with their invoices, refunds and disputes: three questions, and one more for each charge that was given back or disputed. */
export async function readSubscriptions(
  stripe: Stripe,
  catalogue: StripeCatalogue,
  customerId: string,
): Promise<ProviderSubscription[]> {
  const [subscriptions, invoices, charges] = await Promise.all([
    all(
      stripe.subscriptions.list({
        customer: customerId,
        status: "all",
        limit: 100,
        expand: ["data.default_payment_method", "data.schedule"],
      }),
    ),
    all(stripe.invoices.list({ customer: customerId, limit: 100, expand: ["data.payments"] })),
    readCharges(stripe, customerId),
  ]);
  invoices.sort((a, b) => a.created - b.created);

  const planPriceIds = await catalogue.planPriceIdsOf(
    invoices.flatMap((invoice) => invoice.lines.data.flatMap((line) => priceOf(line) ?? [])),
  );
  const read: ProviderSubscription[] = [];
  for (const subscription of subscriptions.sort((a, b) => a.created - b.created)) {
    const own = invoices.filter((one) => idOf(one.parent?.subscription_details?.subscription) === subscription.id);
    const firstPayment = await readFirstPayment(stripe, subscription, own[0]);
    read.push(
      subscriptionOf(
        subscription,
        own.map((invoice) => invoiceOf(invoice, charges, planPriceIds)),
        firstPayment,
      ),
    );
  }
  return read;
}

async function readCharges(stripe: Stripe, customerId: string): Promise<Map<string, ChargeFacts>> {
  const facts = new Map<string, ChargeFacts>();
  for (const charge of await all(stripe.charges.list({ customer: customerId, limit: 100 }))) {
    const intent = idOf(charge.payment_intent);
    // A payment that was tried more than once keeps the charge that came through.
    if (!intent || (facts.get(intent)?.charge.paid && !charge.paid)) continue;
    const refunds =
      charge.amount_refunded > 0
        ? (await all(stripe.refunds.list({ charge: charge.id, limit: 100 })))
            .filter((refund) => refund.status === "succeeded")
            .map((refund) => ({ id: refund.id, amountCents: refund.amount, createdAt: moment(refund.created) }))
            .sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || a.id.localeCompare(b.id))
        : [];
    facts.set(intent, { charge, refunds, dispute: charge.disputed ? await readDispute(stripe, charge.id) : "none" });
  }
  return facts;
}

async function readDispute(stripe: Stripe, chargeId: string): Promise<ChargeFacts["dispute"]> {
  const { data } = await stripe.disputes.list({ charge: chargeId, limit: 1 });
  const status = data[0]?.status;
  if (status === undefined) return "none";
  if (status === "lost") return "lost";
  // A warning is the bank asking, not yet taking back.
  return status === "won" || status.startsWith("warning") || status === "prevented" ? "won" : "open";
}

async function readFirstPayment(
  stripe: Stripe,
  subscription: Stripe.Subscription,
  first: Stripe.Invoice | undefined,
): Promise<FirstPayment | null> {
  if (subscription.status !== "incomplete" || !first) return null;
  const intent = paymentIntentsOf(first).at(-1);
  return intent ? firstPaymentOf(await stripe.paymentIntents.retrieve(intent)) : null;
}

async function all<One>(list: AsyncIterable<One>): Promise<One[]> {
  const found: One[] = [];
  for await (const one of list) {
    found.push(one);
    if (found.length >= MOST) break;
  }
  return found;
}
