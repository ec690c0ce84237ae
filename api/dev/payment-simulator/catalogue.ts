import { invalid, notSimulated } from "./errors.ts";
import { newId } from "./identifiers.ts";
import type { Price, Product, TaxRate } from "./provider-objects.ts";
import {
  clean,
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
  whole,
} from "./parameters.ts";
import { listing, mergedMetadata, retrieval, route } from "./routes.ts";
import type { Transaction } from "./transaction.ts";

/** Throws when the id is in use. */
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

/** Calls about products, prices and tax rates. */
export const catalogueRoutes = [
  route(
    "POST",
    "/v1/products",
    { id: text, name: required(text), type: enumeration("service"), ...productDetails },
    async (tx, { params }) => {
      await requireUnusedId(tx, "Product", params.id);
      const created = await tx.now();
      const product = tx.save<Product>({
        id: params.id ?? newId("prod"),
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
  route("POST", "/v1/products/:id", { name: text, ...productDetails }, async (tx, { id, params }) => {
    const product = await tx.get("product", id);
    const { metadata: given, ...fields } = params;
    Object.assign(product, clean(fields), {
      metadata: mergedMetadata(product.metadata, given),
      updated: await tx.now(),
    });
    await tx.emit("product.updated", tx.save(product));
    return product;
  }),
  retrieval("/v1/products", "product"),
  listing("/v1/products", "product", { active: flag, created: range }),

  route(
    "POST",
    "/v1/prices",
    {
      currency: required(text),
      product: required(text),
      unit_amount: required(whole),
      recurring: required(
        group({ interval: required(enumeration("day", "week", "month", "year")), interval_count: whole }),
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
        id: newId("price"),
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
  route(
    "POST",
    "/v1/prices/:id",
    { active: flag, nickname: text, lookup_key: text, transfer_lookup_key: flag, metadata },
    async (tx, { id, params }) => {
      const price = await tx.get("price", id);
      const { metadata: given, transfer_lookup_key: transfer, ...fields } = params;
      if (fields.lookup_key && fields.lookup_key !== price.lookup_key)
        await claimLookupKey(tx, fields.lookup_key, transfer ?? false);
      Object.assign(price, clean(fields), { metadata: mergedMetadata(price.metadata, given) });
      await tx.emit("price.updated", tx.save(price));
      return price;
    },
  ),
  retrieval("/v1/prices", "price"),
  route(
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
      if (!params.lookup_keys) return tx.page("price", { where, created: params.created }, params, "/v1/prices");
      const found = [];
      for (const key of params.lookup_keys)
        found.push(...(await tx.all("price", { where: { ...where, lookup_key: key } })));
      return { object: "list", url: "/v1/prices", has_more: false, data: found };
    },
  ),

  route(
    "POST",
    "/v1/tax_rates",
    { display_name: required(text), inclusive: required(flag), percentage: required(decimal), ...taxRateDetails },
    async (tx, { params }) => {
      if (params.inclusive) throw notSimulated("tax that is included in prices", "inclusive");
      const rate = tx.save<TaxRate>({
        id: newId("txr"),
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
  route("POST", "/v1/tax_rates/:id", { display_name: text, ...taxRateDetails }, async (tx, { id, params }) => {
    const rate = await tx.get("tax_rate", id);
    const { metadata: given, ...fields } = params;
    Object.assign(rate, clean(fields), { metadata: mergedMetadata(rate.metadata, given) });
    await tx.emit("tax_rate.updated", tx.save(rate));
    return rate;
  }),
  retrieval("/v1/tax_rates", "tax_rate"),
  listing("/v1/tax_rates", "tax_rate", { active: flag, inclusive: flag, created: range }),
];

async function claimLookupKey(tx: Transaction, key: string, transfer: boolean): Promise<void> {
  for (const holder of await tx.all("price", { where: { lookup_key: key } })) {
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
