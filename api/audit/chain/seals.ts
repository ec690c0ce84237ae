import { createHash, createHmac, randomBytes } from "node:crypto";
import { ERASED, FORMER_STAFF } from "#api/platform/database/personal-data.ts";

/** The two tables of sealed rows. */
export type SealedSource = "audit" | "event";

/** A row of `audit_entries` or `security_events`, by column name. */
export type SealedRow = Readonly<Record<string, unknown>>;

/** Personal columns of a row that are erased together. */
interface ErasablePart {
  readonly name: string;
  readonly columns: readonly string[];
  /** Values of the columns after the erasure. */
  readonly erased: readonly unknown[];
}

interface SourceShape {
  /** Columns that never change. */
  readonly fixed: readonly string[];
  readonly parts: readonly ErasablePart[];
}

/**
 * Columns covered by the seal of each table. The seal covers a salted hash of each personal part instead of its values,
 * so erasing the values and the salt leaves the seal valid, and nothing can be guessed from the hash (decision 0060).
 */
export const sealedShapes: Readonly<Record<SealedSource, SourceShape>> = {
  audit: {
    fixed: ["id", "at", "actor_id", "action", "subject_type", "subject_id", "user_id", "request_id"],
    parts: [
      { name: "subject", columns: ["subject_name", "before", "after"], erased: [ERASED, null, null] },
      { name: "actor", columns: ["actor_name", "ip"], erased: [FORMER_STAFF, ""] },
    ],
  },
  event: {
    fixed: ["id", "at", "type", "user_id", "actor_id", "count", "request_id"],
    parts: [{ name: "personal", columns: ["address", "detail"], erased: ["", {}] }],
  },
};

/** Returns the columns that seal a row: a salt and a hash for each personal part, and the seal. */
export function createSeal(key: string | null, source: SealedSource, row: SealedRow): Record<string, string> {
  if (key === null) return {};
  const columns: Record<string, string> = {};
  for (const part of sealedShapes[source].parts) {
    const salt = randomBytes(16).toString("hex");
    columns[`${part.name}_salt`] = salt;
    columns[`${part.name}_hash`] = hashPart(salt, part, row);
  }
  return { ...columns, seal: computeSeal(key, source, { ...row, ...columns }) };
}

/** Returns what is wrong with a sealed row, or null. @param isErased whether the user of a part was erased */
export function findSealProblem(
  key: string,
  source: SealedSource,
  row: SealedRow,
  isErased: (part: string) => boolean,
): string | null {
  if (row["seal"] !== computeSeal(key, source, row)) return "was changed, or wasn't written by the product";
  for (const part of sealedShapes[source].parts) {
    const salt = row[`${part.name}_salt`];
    if (typeof salt === "string") {
      if (hashPart(salt, part, row) !== row[`${part.name}_hash`]) return "was changed";
    } else {
      const values = part.columns.map((column) => row[column] ?? null);
      if (toCanonicalJson(values) !== toCanonicalJson(part.erased)) return "was changed";
      if (!isErased(part.name)) return "was emptied without an erasure";
    }
  }
  return null;
}

/** Computes the hash of a link of the chain from the hash of the link before it. */
export function hashLink(key: string, link: readonly unknown[]): string {
  return createHmac("sha256", key)
    .update(toCanonicalJson(["link", ...link]))
    .digest("hex");
}

function computeSeal(key: string, source: SealedSource, row: SealedRow): string {
  const { fixed, parts } = sealedShapes[source];
  const values = fixed.map((column) => (column === "at" ? toIsoTime(row["at"]) : (row[column] ?? null)));
  const hashes = parts.map(({ name }) => row[`${name}_hash`] ?? null);
  return createHmac("sha256", key)
    .update(toCanonicalJson([source, ...values, ...hashes]))
    .digest("hex");
}

function hashPart(salt: string, { columns }: ErasablePart, row: SealedRow): string {
  const values = columns.map((column) => row[column] ?? null);
  return createHash("sha256")
    .update(`${salt}${toCanonicalJson(values)}`)
    .digest("hex");
}

/** Returns a time as ISO 8601 with milliseconds, from a Date or from PostgreSQL's JSON. */
export function toIsoTime(at: unknown): string {
  return new Date(at as string | Date).toISOString();
}

/** Returns JSON with sorted keys, because PostgreSQL stores the keys of `jsonb` in another order. */
function toCanonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}
