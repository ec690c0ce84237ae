import { invalid } from "./errors.ts";
import { type Transaction, visible } from "./transaction.ts";

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** An object, or a list of them, as it is served: without the simulator's own fields, with `expand` followed. */
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
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== "sim")
      .map(([key, each]) => [key, strip(each)]),
  );
}

async function expandPath(tx: Transaction, place: Fields, [key, ...rest]: string[], whole: string): Promise<void> {
  if (key === undefined) return;
  if (place[key] === undefined) place[key] = await included(tx, place, key);
  const value = place[key];
  if (value === undefined) throw invalid(`This property cannot be expanded (${whole}).`, "expand");
  if (typeof value === "string") {
    const object = await tx.find(value);
    if (!object) throw invalid(`This property cannot be expanded (${whole}).`, "expand");
    place[key] = visible(object);
  }
  const next = place[key];
  if (Array.isArray(next)) {
    for (const [index, each] of next.entries()) {
      const object = typeof each === "string" ? await tx.find(each) : undefined;
      if (object) next[index] = visible(object);
      if (isFields(next[index])) await expandPath(tx, next[index], rest, whole);
    }
    return;
  }
  if (isFields(next)) await expandPath(tx, next, rest, whole);
}

/** Fields that the provider includes only where they are asked for. */
async function included(tx: Transaction, place: Fields, key: string): Promise<unknown> {
  const id = String(place.id);
  if (place.object === "invoice" && key === "payments") {
    const page = await tx.page(
      "invoice_payment",
      { where: { invoice: id } },
      { limit: 100 },
      `/v1/invoices/${id}/payments`,
    );
    return structuredClone(page);
  }
  if (place.object === "invoice" && key === "confirmation_secret") {
    const invoice = await tx.find(id);
    const intent = invoice?.object === "invoice" && invoice.sim.intent ? await tx.find(invoice.sim.intent) : undefined;
    return intent?.object === "payment_intent" ? { client_secret: intent.client_secret, type: "payment_intent" } : null;
  }
  if (place.object === "charge" && key === "refunds")
    return structuredClone(
      await tx.page("refund", { where: { charge: id } }, { limit: 10 }, `/v1/charges/${id}/refunds`),
    );
  return undefined;
}
