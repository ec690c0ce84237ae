import { invalid, decimal, enumeration, flag, group, integer, list, metadata, required, text } from "./parameters.ts";
import type { Coupon } from "./objects.ts";
import { getRoute, listRoute, route } from "./routes.ts";
import type { Transaction } from "./transaction.ts";

/** Routes for products, prices, tax rates and coupons. */
export const catalogueRoutes = [
  route("POST /v1/products", { id: text, name: required(text) }, async (tx, { id, name }) => {
    if (id && (await tx.find(id))) throw invalid("Product already exists.", "id", "resource_already_exists");
    return tx.create("product", { ...(id ? { id } : {}), name });
  }),
  route("POST /v1/products/:id", { name: required(text) }, async (tx, { name }, id) =>
    tx.save(await tx.get("product", id), { name }),
  ),
  getRoute("/v1/products", "product"),

  route(
    "POST /v1/prices",
    {
      currency: required(enumeration("aud")),
      product: required(text),
      unit_amount: required(integer),
      recurring: required(group({ interval: required(enumeration("month", "year")) })),
      lookup_key: text,
      transfer_lookup_key: enumeration("true"),
      nickname: text,
      tax_behavior: enumeration("exclusive"),
    },
    async (tx, { currency, product, unit_amount, recurring, lookup_key = null, nickname = null }) => {
      await tx.get("product", product, "product");
      if (lookup_key)
        for (const holder of await tx.findAll("price", { lookup_key })) tx.save(holder, { lookup_key: null });
      return tx.create("price", { active: true, currency, lookup_key, nickname, product, recurring, unit_amount });
    },
  ),
  getRoute("/v1/prices", "price"),
  listRoute("/v1/prices", "price", { active: flag, lookup_keys: list(text) }, { lookup_keys: "lookup_key" }),

  route(
    "POST /v1/tax_rates",
    {
      display_name: required(text),
      inclusive: required(enumeration("false")),
      percentage: required(decimal),
      country: text,
      jurisdiction: text,
      metadata,
    },
    async (tx, { display_name, percentage, metadata: given = {} }) =>
      tx.create("tax_rate", { active: true, display_name, inclusive: false, percentage, metadata: given }),
  ),
  listRoute("/v1/tax_rates", "tax_rate", { active: flag }),

  route(
    "POST /v1/coupons",
    {
      name: text,
      amount_off: required(integer),
      currency: required(enumeration("aud")),
      duration: required(enumeration("once")),
      max_redemptions: integer,
    },
    async (tx, { amount_off, currency, duration, max_redemptions = null }) =>
      tx.create("coupon", { amount_off, currency, duration, max_redemptions, times_redeemed: 0 }),
  ),
];

/**
 * Counts a use of a coupon and returns it.
 * @throws ProviderError if the coupon is unknown or used up.
 */
export async function redeemCoupon(tx: Transaction, id: string): Promise<Coupon> {
  const param = "discounts[0][coupon]";
  const coupon = await tx.get("coupon", id, param);
  if (coupon.max_redemptions !== null && coupon.times_redeemed >= coupon.max_redemptions)
    throw invalid(`Coupon ${id} is expired and cannot be applied.`, param, "coupon_expired");
  return tx.save(coupon, { times_redeemed: coupon.times_redeemed + 1 });
}
