import { invalid } from "./errors.ts";
import { removeInternalFields, type Transaction } from "./transaction.ts";

type Fields = Record<string, unknown>;

const isRecord = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Converts an object or a list for a response. Removes internal fields and expands the paths in `expand`.
 * @throws ProviderError if a path can't be expanded.
 */
export async function serialize(tx: Transaction, result: object, expand: readonly string[]): Promise<Fields> {
  const served = strip(structuredClone(result)) as Fields;
  for (const path of expand) await expandPath(tx, [served], path.split("."), path);
  return served;
}

function strip(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strip);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) => (key === "sim" ? [] : [[key, strip(each)]])),
  );
}

/** Expands a field of all parents, and then the rest of the path in what was found. */
async function expandPath(
  tx: Transaction,
  parents: readonly Fields[],
  [key, ...rest]: string[],
  path: string,
): Promise<void> {
  if (key === undefined) return;
  if (key === "payments") await addPayments(tx, parents);
  const found: Fields[] = [];
  for (const parent of parents) {
    if (key === "confirmation_secret") parent[key] = await findConfirmationSecret(tx, String(parent.id));
    if (typeof parent[key] === "string") {
      const object = await tx.find(parent[key]);
      parent[key] = object && removeInternalFields(object);
    }
    if (parent[key] === undefined) throw invalid(`This property cannot be expanded (${path}).`, "expand");
    found.push(...[parent[key]].flat().filter(isRecord));
  }
  await expandPath(tx, found, rest, path);
}

/** Adds the payments of invoices, with one query for all of them. The provider only includes them on request. */
async function addPayments(tx: Transaction, invoices: readonly Fields[]): Promise<void> {
  const found = await tx.findAll("invoice_payment", { invoice: invoices.map(({ id }) => String(id)) });
  const byInvoice = Map.groupBy(found, ({ invoice }) => invoice);
  for (const invoice of invoices) {
    const id = String(invoice.id);
    const data = structuredClone(byInvoice.get(id) ?? []);
    invoice.payments = { object: "list", url: `/v1/invoices/${id}/payments`, has_more: false, data };
  }
}

async function findConfirmationSecret(tx: Transaction, id: string): Promise<Fields | null> {
  const { intent } = (await tx.get("invoice", id)).sim;
  if (!intent) return null;
  return { client_secret: (await tx.get("payment_intent", intent)).client_secret, type: "payment_intent" };
}
