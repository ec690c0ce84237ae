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
      currency: required(text),
      product: required(text),
      unit_amount: required(integer),
      recurring: required(group({ interval: required(enumeration("month", "year")) })),
      lookup_key: text,
      transfer_lookup_key: flag,
      nickname: text,
      tax_behavior: enumeration("exclusive"),
    },
    async (tx, params) => {
      const { currency, product, unit_amount, recurring, lookup_key = null, nickname = null } = params;
      await tx.get("product", product, "product");
      if (lookup_key) await claimLookupKey(tx, lookup_key, params.transfer_lookup_key ?? false);
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
    (tx, { display_name, percentage, metadata: given = {} }) =>
      tx.create("tax_rate", { active: true, display_name, inclusive: false, percentage, metadata: given }),
  ),
  listRoute("/v1/tax_rates", "tax_rate", { active: flag }),

  route(
    "POST /v1/coupons",
    {
      name: text,
      percent_off: decimal,
      amount_off: integer,
      currency: text,
      duration: enumeration("once"),
      max_redemptions: integer,
    },
    async (tx, { percent_off = null, amount_off = null, currency = null, max_redemptions = null }) => {
      if ((percent_off === null) === (amount_off === null))
        throw invalid("You must provide either percent_off or amount_off, and not both.", "percent_off");
      const terms = { amount_off, currency, duration: "once", max_redemptions, percent_off } as const;
      return tx.create("coupon", { ...terms, times_redeemed: 0 });
    },
  ),
];

async function claimLookupKey(tx: Transaction, key: string, transfer: boolean): Promise<void> {
  for (const holder of await tx.findAll("price", { lookup_key: key })) {
    const message = `A price (\`${holder.id}\`) already uses that lookup key.`;
    if (!transfer) throw invalid(message, "lookup_key", "resource_already_exists");
    tx.save(holder, { lookup_key: null });
  }
}

/** Reads the `discounts` parameter of requests that accept coupons. */
export const couponsShape = list(group({ coupon: required(text) }));

/**
 * Returns the coupons of a `discounts` parameter.
 * @throws ProviderError if a coupon is unknown, used up or in another currency.
 */
export async function findCoupons(
  tx: Transaction,
  given: readonly { coupon: string }[],
  currency: string,
): Promise<Coupon[]> {
  const coupons: Coupon[] = [];
  for (const [index, { coupon: id }] of given.entries()) {
    const param = `discounts[${index}][coupon]`;
    const coupon = await tx.get("coupon", id, param);
    if (coupon.max_redemptions !== null && coupon.times_redeemed >= coupon.max_redemptions)
      throw invalid(`Coupon ${id} is expired and cannot be applied.`, param, "coupon_expired");
    if (coupon.currency !== null && coupon.currency !== currency)
      throw invalid(`Coupon ${id} is not in the currency ${currency}.`, param);
    coupons.push(coupon);
  }
  return coupons;
}
