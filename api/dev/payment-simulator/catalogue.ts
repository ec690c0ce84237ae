import { invalid, notSimulated } from "./errors.ts";
import { createId } from "./identifiers.ts";
import type { Price, Product, TaxRate } from "./provider-objects.ts";
import {
  emptyToNull,
  decimal,
  flag,
  group,
  list,
  metadata,
  enumeration,
  paging,
  range,
  required,
  text,
  integer,
} from "./parameters.ts";
import { defineListRoute, mergeMetadata, defineGetRoute, defineRoute } from "./routes.ts";
import type { Transaction } from "./transaction.ts";

/**
 * Checks that no object has an id yet.
 * @throws ProviderError if the id is in use.
 */
export async function requireUnusedId(tx: Transaction, what: string, id: string | undefined): Promise<void> {
  const found = id ? await tx.find(id) : undefined;
  if (found && !found.deleted) throw invalid(`${what} already exists.`, "id", "resource_already_exists");
}

const productDetails = { active: flag, description: text, url: text, metadata };
const taxRateDetails = {
  active: flag,
  description: text,
  jurisdiction: text,
  country: text,
  state: text,
  tax_type: text,
  metadata,
};

/** Routes for products, prices and tax rates. */
export const catalogueRoutes = [
  defineRoute(
    "POST",
    "/v1/products",
    { id: text, name: required(text), type: enumeration("service"), ...productDetails },
    async (tx, { params }) => {
      await requireUnusedId(tx, "Product", params.id);
      const created = await tx.now();
      const product = tx.save<Product>({
        id: params.id ?? createId("prod"),
        object: "product",
        created,
        updated: created,
        livemode: false,
        active: params.active ?? true,
        name: params.name,
        description: params.description ?? null,
        images: [],
        marketing_features: [],
        type: "service",
        url: params.url ?? null,
        metadata: params.metadata ?? {},
      });
      await tx.emit("product.created", product);
      return product;
    },
  ),
  defineRoute("POST", "/v1/products/:id", { name: text, ...productDetails }, async (tx, { id, params }) => {
    const product = await tx.get("product", id);
    const { metadata: given, ...fields } = params;
    Object.assign(product, emptyToNull(fields), {
      metadata: mergeMetadata(product.metadata, given),
      updated: await tx.now(),
    });
    await tx.emit("product.updated", tx.save(product));
    return product;
  }),
  defineGetRoute("/v1/products", "product"),
  defineListRoute("/v1/products", "product", { active: flag, created: range }),

  defineRoute(
    "POST",
    "/v1/prices",
    {
      currency: required(text),
      product: required(text),
      unit_amount: required(integer),
      recurring: required(
        group({ interval: required(enumeration("day", "week", "month", "year")), interval_count: integer }),
      ),
      active: flag,
      lookup_key: text,
      transfer_lookup_key: flag,
      nickname: text,
      tax_behavior: enumeration("exclusive", "unspecified"),
      metadata,
    },
    async (tx, { params }) => {
      await tx.get("product", params.product, "product");
      if (params.unit_amount < 0) throw invalid("Invalid non-negative integer", "unit_amount");
      if (params.lookup_key) await claimLookupKey(tx, params.lookup_key, params.transfer_lookup_key ?? false);
      const price = tx.save<Price>({
        id: createId("price"),
        object: "price",
        created: await tx.now(),
        livemode: false,
        active: params.active ?? true,
        billing_scheme: "per_unit",
        currency: params.currency.toLowerCase(),
        lookup_key: params.lookup_key ?? null,
        nickname: params.nickname ?? null,
        product: params.product,
        recurring: {
          interval: params.recurring.interval,
          interval_count: params.recurring.interval_count ?? 1,
          meter: null,
          usage_type: "licensed",
        },
        tax_behavior: params.tax_behavior ?? "unspecified",
        type: "recurring",
        unit_amount: params.unit_amount,
        unit_amount_decimal: String(params.unit_amount),
        metadata: params.metadata ?? {},
      });
      await tx.emit("price.created", price);
      return price;
    },
  ),
  defineRoute(
    "POST",
    "/v1/prices/:id",
    { active: flag, nickname: text, lookup_key: text, transfer_lookup_key: flag, metadata },
    async (tx, { id, params }) => {
      const price = await tx.get("price", id);
      const { metadata: given, transfer_lookup_key: transfer, ...fields } = params;
      if (fields.lookup_key && fields.lookup_key !== price.lookup_key)
        await claimLookupKey(tx, fields.lookup_key, transfer ?? false);
      Object.assign(price, emptyToNull(fields), { metadata: mergeMetadata(price.metadata, given) });
      await tx.emit("price.updated", tx.save(price));
      return price;
    },
  ),
  defineGetRoute("/v1/prices", "price"),
  defineRoute(
    "GET",
    "/v1/prices",
    {
      active: flag,
      currency: text,
      product: text,
      lookup_keys: list(text),
      type: enumeration("recurring"),
      created: range,
      ...paging,
    },
    async (tx, { params }) => {
      const where = { active: params.active?.toString(), currency: params.currency, product: params.product };
      if (!params.lookup_keys) return tx.findPage("price", { where, created: params.created }, params, "/v1/prices");
      const found = [];
      for (const key of params.lookup_keys)
        found.push(...(await tx.findAll("price", { where: { ...where, lookup_key: key } })));
      return { object: "list", url: "/v1/prices", has_more: false, data: found };
    },
  ),

  defineRoute(
    "POST",
    "/v1/tax_rates",
    { display_name: required(text), inclusive: required(flag), percentage: required(decimal), ...taxRateDetails },
    async (tx, { params }) => {
      if (params.inclusive) throw notSimulated("tax rates that are included in prices", "inclusive");
      const rate = tx.save<TaxRate>({
        id: createId("txr"),
        object: "tax_rate",
        created: await tx.now(),
        livemode: false,
        active: params.active ?? true,
        country: params.country ?? null,
        description: params.description ?? null,
        display_name: params.display_name,
        effective_percentage: params.percentage,
        inclusive: false,
        jurisdiction: params.jurisdiction ?? null,
        percentage: params.percentage,
        rate_type: "percentage",
        state: params.state ?? null,
        tax_type: params.tax_type ?? null,
        metadata: params.metadata ?? {},
      });
      await tx.emit("tax_rate.created", rate);
      return rate;
    },
  ),
  defineRoute("POST", "/v1/tax_rates/:id", { display_name: text, ...taxRateDetails }, async (tx, { id, params }) => {
    const rate = await tx.get("tax_rate", id);
    const { metadata: given, ...fields } = params;
    Object.assign(rate, emptyToNull(fields), { metadata: mergeMetadata(rate.metadata, given) });
    await tx.emit("tax_rate.updated", tx.save(rate));
    return rate;
  }),
  defineGetRoute("/v1/tax_rates", "tax_rate"),
  defineListRoute("/v1/tax_rates", "tax_rate", { active: flag, inclusive: flag, created: range }),
];

async function claimLookupKey(tx: Transaction, key: string, transfer: boolean): Promise<void> {
  for (const holder of await tx.findAll("price", { where: { lookup_key: key } })) {
    if (!transfer)
      throw invalid(
        `A price (\`${holder.id}\`) already uses that lookup key.`,
        "lookup_key",
        "resource_already_exists",
      );
    holder.lookup_key = null;
    tx.save(holder);
  }
}
