import type Stripe from "stripe";
import type { SyncedPlan, SyncedPrice } from "./payments.ts";

/** How the provider knows our GST rate among others. */
const GST_CODE = "au-gst";

/** What of the catalogue is at the provider, looked up by our own ids and remembered by the process. */
export interface StripeCatalogue {
  sync(plans: readonly SyncedPlan[]): Promise<void>;
  /** The provider's id of a price; a price that is missing, or has another amount there, is put there first. */
  priceIdOf(price: SyncedPrice): Promise<string>;
  /** The provider's id of the GST rate; null for 0 basis points. */
  taxRateIdOf(gstBasisPoints: number): Promise<string | null>;
  /** Our ids of the provider's prices, also of those that another amount has replaced since. */
  planPriceIdsOf(priceIds: Iterable<string>): Promise<ReadonlyMap<string, string>>;
}

/** Writes the catalogue to the provider, where a new amount is a new price that takes over the look-up key. */
export function createStripeCatalogue(stripe: Stripe): StripeCatalogue {
  const priceIds = new Map<string, string>();
  const taxRateIds = new Map<number, string>();
  const planPriceIds = new Map<string, string>();
  const rememberedAs = (price: SyncedPrice) => `${price.id} ${price.audCents}`;

  const ensureProduct = async (id: string, name: string): Promise<void> => {
    const found = await stripe.products.retrieve(id).catch((error: { code?: string }) => {
      if (error.code === "resource_missing") return null;
      throw error;
    });
    if (!found) await stripe.products.create({ id, name }, { idempotencyKey: `product-${id}` });
    else if (found.name !== name) await stripe.products.update(id, { name });
  };
  const ensurePrice = async (price: SyncedPrice): Promise<string> => {
    const { data } = await stripe.prices.list({ lookup_keys: [price.id], active: true, limit: 1 });
    const found = data[0];
    if (found?.unit_amount === price.audCents && found.currency === "aud") return found.id;
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
  const priceIdOf = async (price: SyncedPrice): Promise<string> => {
    const remembered = priceIds.get(rememberedAs(price));
    if (remembered) return remembered;
    await ensureProduct(price.planSlug, price.planSlug);
    const id = await ensurePrice(price);
    priceIds.set(rememberedAs(price), id);
    return id;
  };

  return {
    priceIdOf,
    async planPriceIdsOf(asked) {
      for (const id of new Set(asked)) {
        if (planPriceIds.has(id)) continue;
        // The look-up key moves on to a price's successor; the nickname stays.
        const { nickname } = await stripe.prices.retrieve(id);
        if (nickname) planPriceIds.set(id, nickname);
      }
      return planPriceIds;
    },
    async sync(plans) {
      for (const plan of plans) {
        await ensureProduct(plan.slug, plan.name);
        for (const price of plan.prices) priceIds.set(rememberedAs(price), await ensurePrice(price));
      }
    },
    async taxRateIdOf(gstBasisPoints) {
      if (gstBasisPoints === 0) return null;
      const remembered = taxRateIds.get(gstBasisPoints);
      if (remembered) return remembered;
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
