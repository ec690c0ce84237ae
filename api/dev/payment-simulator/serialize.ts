import { invalid } from "./errors.ts";
import { type Transaction, removeInternalFields } from "./transaction.ts";

type Fields = Record<string, unknown>;

const isRecord = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Converts an object or a list for a response. Removes internal fields and expands the paths in `expand`.
 * @throws ProviderError if a path can't be expanded.
 */
export async function serialize(tx: Transaction, result: object, expand: readonly string[]): Promise<Fields> {
  const served = strip(structuredClone(result)) as Fields;
  for (const path of expand) {
    if (path.split(".").length > 5) throw invalid("You cannot expand more than 4 levels of a property.", "expand");
    await expandPath(tx, served, path.split("."), path);
  }
  return served;
}

function strip(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strip);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== "sim")
      .map(([key, each]) => [key, strip(each)]),
  );
}

async function expandPath(tx: Transaction, parent: Fields, [key, ...rest]: string[], whole: string): Promise<void> {
  if (key === undefined) return;
  if (parent[key] === undefined) parent[key] = await loadOptionalField(tx, parent, key);
  const value = parent[key];
  if (value === undefined) throw invalid(`This property cannot be expanded (${whole}).`, "expand");
  if (typeof value === "string") {
    const object = await tx.find(value);
    if (!object) throw invalid(`This property cannot be expanded (${whole}).`, "expand");
    parent[key] = removeInternalFields(object);
  }
  const next = parent[key];
  if (Array.isArray(next)) {
    if (rest[0] === "payments") await addPayments(tx, next.filter(isRecord));
    for (const [index, each] of next.entries()) {
      const object = typeof each === "string" ? await tx.find(each) : undefined;
      if (object) next[index] = removeInternalFields(object);
      if (isRecord(next[index])) await expandPath(tx, next[index], rest, whole);
    }
    return;
  }
  if (isRecord(next)) await expandPath(tx, next, rest, whole);
}

/** Adds the payments of a page of invoices, with one query for all of them. */
async function addPayments(tx: Transaction, invoices: readonly Fields[]): Promise<void> {
  const ids = invoices.map(({ id }) => String(id));
  const found = await tx.findAll("invoice_payment", { only: { invoice: ids } });
  const byInvoice = Map.groupBy(found, ({ invoice }) => invoice);
  for (const invoice of invoices)
    invoice.payments = {
      object: "list",
      url: `/v1/invoices/${String(invoice.id)}/payments`,
      has_more: false,
      data: structuredClone(byInvoice.get(String(invoice.id)) ?? []),
    };
}

/** Loads a field that the provider only includes when it is expanded. */
async function loadOptionalField(tx: Transaction, parent: Fields, key: string): Promise<unknown> {
  const id = String(parent.id);
  if (parent.object === "invoice" && key === "payments") {
    const page = await tx.findPage(
      "invoice_payment",
      { where: { invoice: id } },
      { limit: 100 },
      `/v1/invoices/${id}/payments`,
    );
    return structuredClone(page);
  }
  if (parent.object === "invoice" && key === "confirmation_secret") {
    const invoice = await tx.find(id);
    const intent = invoice?.object === "invoice" && invoice.sim.intent ? await tx.find(invoice.sim.intent) : undefined;
    return intent?.object === "payment_intent" ? { client_secret: intent.client_secret, type: "payment_intent" } : null;
  }
  if (parent.object === "charge" && key === "refunds")
    return structuredClone(
      await tx.findPage("refund", { where: { charge: id } }, { limit: 10 }, `/v1/charges/${id}/refunds`),
    );
  return undefined;
}
