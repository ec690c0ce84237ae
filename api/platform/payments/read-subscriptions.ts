import type Stripe from "stripe";
import type { StripeCatalogue } from "./stripe-catalogue.ts";
import type { FirstPayment, ProviderSubscription } from "./provider-data.ts";
import {
  type ChargeFacts,
  toFirstPayment,
  toProviderAttempt,
  getId,
  toProviderInvoice,
  toDate,
  getPaymentIntentIds,
  getPriceId,
  toProviderSubscription,
} from "./stripe-objects.ts";

/** Maximum number of a customer's invoices, charges or subscriptions to read: 40 years of monthly billing. */
const MAX_OBJECTS = 500;

/**
 * Loads a customer's subscriptions with their invoices, refunds and disputes. Sends three requests, plus one for each
 * refunded or disputed charge.
 */
export async function readSubscriptions(
  stripe: Stripe,
  catalogue: StripeCatalogue,
  customerId: string,
): Promise<ProviderSubscription[]> {
  const [subscriptions, invoices, charges] = await Promise.all([
    readAll(
      stripe.subscriptions.list({
        customer: customerId,
        status: "all",
        limit: 100,
        expand: ["data.default_payment_method", "data.schedule"],
      }),
    ),
    readAll(stripe.invoices.list({ customer: customerId, limit: 100, expand: ["data.payments"] })),
    readCharges(stripe, customerId),
  ]);
  invoices.sort((a, b) => a.created - b.created);

  const planPriceIds = await catalogue.getPlanPriceIds(
    invoices.flatMap((invoice) => invoice.lines.data.flatMap((line) => getPriceId(line) ?? [])),
  );
  const converted: ProviderSubscription[] = [];
  for (const subscription of subscriptions.sort((a, b) => a.created - b.created)) {
    const own = invoices.filter((one) => getId(one.parent?.subscription_details?.subscription) === subscription.id);
    const firstPayment = await readFirstPayment(stripe, subscription, own[0]);
    converted.push(
      toProviderSubscription(
        subscription,
        own.map((invoice) => toProviderInvoice(invoice, charges, planPriceIds)),
        firstPayment,
      ),
    );
  }
  return converted;
}

async function readCharges(stripe: Stripe, customerId: string): Promise<Map<string, ChargeFacts>> {
  const facts = new Map<string, ChargeFacts>();
  for (const charge of await readAll(stripe.charges.list({ customer: customerId, limit: 100 }))) {
    const intent = getId(charge.payment_intent);
    if (!intent) continue;
    const known = facts.get(intent);
    // The provider lists the newest charge first.
    const attempts = [toProviderAttempt(charge), ...(known?.attempts ?? [])];
    // Of several attempts to pay, keep the charge that succeeded.
    if (known?.charge.paid && !charge.paid) {
      facts.set(intent, { ...known, attempts });
      continue;
    }
    const refunds =
      charge.amount_refunded > 0
        ? (await readAll(stripe.refunds.list({ charge: charge.id, limit: 100 })))
            .filter((refund) => refund.status === "succeeded")
            .map((refund) => ({
              id: refund.id,
              refundId: refund.metadata?.refundId ?? null,
              amountCents: refund.amount,
              createdAt: toDate(refund.created),
            }))
            .sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || a.id.localeCompare(b.id))
        : [];
    const dispute = charge.disputed ? await readDispute(stripe, charge.id) : "none";
    facts.set(intent, { charge, attempts, refunds, dispute });
  }
  return facts;
}

async function readDispute(stripe: Stripe, chargeId: string): Promise<ChargeFacts["dispute"]> {
  const { data } = await stripe.disputes.list({ charge: chargeId, limit: 1 });
  const status = data[0]?.status;
  if (status === undefined) return "none";
  if (status === "lost") return "lost";
  // A warning is an inquiry by the bank; no money has been withdrawn.
  return status === "won" || status.startsWith("warning") || status === "prevented" ? "won" : "open";
}

async function readFirstPayment(
  stripe: Stripe,
  subscription: Stripe.Subscription,
  firstInvoice: Stripe.Invoice | undefined,
): Promise<FirstPayment | null> {
  if (subscription.status !== "incomplete" || !firstInvoice) return null;
  const intent = getPaymentIntentIds(firstInvoice).at(-1);
  return intent ? toFirstPayment(await stripe.paymentIntents.retrieve(intent)) : null;
}

async function readAll<One>(list: AsyncIterable<One>): Promise<One[]> {
  const found: One[] = [];
  for await (const one of list) {
    found.push(one);
    if (found.length >= MAX_OBJECTS) break;
  }
  return found;
}
