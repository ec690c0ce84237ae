import type Stripe from "stripe";
import type { SyncedPlan, SyncedPrice } from "./payments.ts";

/** Identifies our GST rate among the provider's tax rates. */
const GST_CODE = "au-gst";

/** Looks up our catalogue's prices and tax rates at the provider by our own ids, and caches the results. */
export interface StripeCatalogue {
  sync(plans: readonly SyncedPlan[]): Promise<void>;
  /** Returns the provider's id for a price. Creates the price first if it is missing or has a different amount. */
  getPriceId(price: SyncedPrice): Promise<string>;
  /** Returns the provider's id for the GST rate; null for 0 basis points. */
  getTaxRateId(gstBasisPoints: number): Promise<string | null>;
  /** Returns our ids for the provider's prices, including prices that were replaced because the amount changed. */
  getPlanPriceIds(priceIds: Iterable<string>): Promise<ReadonlyMap<string, string>>;
}

/** Creates a catalogue backed by Stripe. Changing an amount creates a new price, which takes over the lookup key. */
export function createStripeCatalogue(stripe: Stripe): StripeCatalogue {
  const priceIds = new Map<string, string>();
  const taxRateIds = new Map<number, string>();
  const planPriceIds = new Map<string, string>();
  const cacheKey = (price: SyncedPrice) => `${price.id} ${price.audCents}`;

  const ensureProduct = async (id: string, name: string): Promise<Stripe.Product> => {
    const existing = await stripe.products.retrieve(id).catch((error: { code?: string }) => {
      if (error.code === "resource_missing") return null;
      throw error;
    });
    return existing ?? stripe.products.create({ id, name }, { idempotencyKey: `product-${id}` });
  };
  const ensurePrice = async (price: SyncedPrice): Promise<string> => {
    const { data } = await stripe.prices.list({ lookup_keys: [price.id], active: true, limit: 1 });
    const existing = data[0];
    if (existing?.unit_amount === price.audCents && existing.currency === "aud") return existing.id;
    const created = await stripe.prices.create(
      {
        product: price.planSlug,
        currency: "aud",
        unit_amount: price.audCents,
        tax_behavior: "exclusive",
        recurring: { interval: price.interval === "yearly" ? "year" : "month" },
        lookup_key: price.id,
        transfer_lookup_key: true,
        nickname: price.id,
      },
      { idempotencyKey: `price-${price.id}-${price.audCents}` },
    );
    return created.id;
  };
  const getPriceId = async (price: SyncedPrice): Promise<string> => {
    const cached = priceIds.get(cacheKey(price));
    if (cached) return cached;
    await ensureProduct(price.planSlug, price.planName);
    const id = await ensurePrice(price);
    priceIds.set(cacheKey(price), id);
    return id;
  };

  return {
    getPriceId,
    async getPlanPriceIds(stripePriceIds) {
      for (const id of new Set(stripePriceIds)) {
        if (planPriceIds.has(id)) continue;
        // When a price is replaced, its lookup key moves to the new price, but its nickname stays.
        const { nickname } = await stripe.prices.retrieve(id);
        if (nickname) planPriceIds.set(id, nickname);
      }
      return planPriceIds;
    },
    async sync(plans) {
      for (const plan of plans) {
        const product = await ensureProduct(plan.slug, plan.name);
        if (product.name !== plan.name) await stripe.products.update(plan.slug, { name: plan.name });
        for (const price of plan.prices) priceIds.set(cacheKey(price), await ensurePrice(price));
      }
    },
    async getTaxRateId(gstBasisPoints) {
      if (gstBasisPoints === 0) return null;
      const cached = taxRateIds.get(gstBasisPoints);
      if (cached) return cached;
      const percentage = gstBasisPoints / 100;
      let id: string | undefined;
      for await (const rate of stripe.taxRates.list({ active: true, limit: 100 }))
        if (rate.metadata?.code === GST_CODE && rate.percentage === percentage && !rate.inclusive) id ??= rate.id;
      id ??= (
        await stripe.taxRates.create(
          {
            display_name: "GST",
            country: "AU",
            percentage,
            inclusive: false,
            jurisdiction: "AU",
            metadata: { code: GST_CODE },
          },
          { idempotencyKey: `tax-rate-${GST_CODE}-${gstBasisPoints}` },
        )
      ).id;
      taxRateIds.set(gstBasisPoints, id);
      return id;
    },
  };
}
