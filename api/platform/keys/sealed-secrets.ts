import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { Services } from "#api/platform/context.ts";
import { escapeLike } from "#api/platform/database/database.ts";
import type { Sweep } from "#api/platform/jobs/sweeps.ts";
import type { EncryptionKey, EncryptionKeys } from "./encryption-keys.ts";

/** Encrypted with a key of the encryption ring. */
const VERSION = "v2";
/** Encrypted with a key derived from a signing key, before the encryption ring existed. */
const DERIVED_VERSION = "v1";
const IV_BYTES = 12;
const TAG_BYTES = 16;
const BATCH_SIZE = 100;

/**
 * Encrypts a secret that has to be decrypted later, such as the secret of an authenticator app, with AES-256-GCM and the
 * current encryption key (decision 0016).
 * @param boundTo ID of the row's owner, required to decrypt the secret
 * @returns `v2.<kid>.<base64url>`
 */
export function sealSecret({ current }: Pick<EncryptionKeys, "current">, secret: string, boundTo: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", current.key, iv).setAAD(Buffer.from(boundTo));
  const sealed = Buffer.concat([iv, cipher.update(secret, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return `${buildPrefix(VERSION, current)}${sealed.toString("base64url")}`;
}

/** Decrypts a secret. Returns null if its key is missing, or if the secret was modified or belongs to another owner. */
export function openSecret(
  { all, derived }: Pick<EncryptionKeys, "all" | "derived">,
  sealed: string,
  boundTo: string,
): string | null {
  const [version, encodedKid = "", body = ""] = sealed.split(".");
  const known = version === VERSION ? all : version === DERIVED_VERSION ? derived : [];
  const kid = Buffer.from(encodedKid, "base64url").toString();
  const found = known.find((key) => key.kid === kid);
  if (!found) return null;
  const bytes = Buffer.from(body, "base64url");
  if (bytes.length <= IV_BYTES + TAG_BYTES) return null;
  try {
    const decipher = createDecipheriv("aes-256-gcm", found.key, bytes.subarray(0, IV_BYTES))
      .setAAD(Buffer.from(boundTo))
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]).toString("utf8");
  } catch {
    return null;
  }
}

/** A text column with sealed secrets. Its table has an `id`. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** Column with the ID that its secrets are bound to. */
  readonly boundTo: string;
  /** SQL condition of the rows whose secret has to be kept, if others may have another text. */
  readonly where?: string;
}

/** Returns the SQL condition of the rows with a secret in a column. */
export const hasSecretSql = ({ column, where = "true" }: SealedColumn): string => `${column} is not null and ${where}`;

/**
 * Encrypts up to 100 secrets of a column again with the current encryption key: those encrypted with another listed key,
 * and those encrypted before the encryption ring existed. Afterwards the other key can be removed. Leaves a secret
 * unchanged if no listed key decrypts it. Safe to interrupt and to run concurrently.
 * @returns the number of secrets encrypted again
 */
export async function resealColumn(
  { pool, encryptionKeys }: Pick<Services, "pool" | "encryptionKeys">,
  sealedColumn: SealedColumn,
): Promise<number> {
  const { table, column, boundTo } = sealedColumn;
  const { current, all, derived } = encryptionKeys;
  const prefixes = [
    ...all.filter(({ kid }) => kid !== current.kid).map((key) => buildPrefix(VERSION, key)),
    ...derived.map((key) => buildPrefix(DERIVED_VERSION, key)),
  ];
  if (prefixes.length === 0) return 0;
  const { rows } = await pool.query<{ id: string; boundTo: string; sealed: string }>(
    `select id, ${boundTo} as "boundTo", ${column} as sealed from ${table}
      where ${hasSecretSql(sealedColumn)} and ${column} like any($1) limit ${BATCH_SIZE}`,
    [prefixes.map(toPattern)],
  );
  let resealed = 0;
  for (const { id, boundTo: owner, sealed } of rows) {
    const opened = openSecret(encryptionKeys, sealed, owner);
    if (opened === null) continue;
    const { rowCount } = await pool.query(`update ${table} set ${column} = $3 where id = $1 and ${column} = $2`, [
      id,
      sealed,
      sealSecret(encryptionKeys, opened, owner),
    ]);
    resealed += rowCount ?? 0;
  }
  return resealed;
}

/** Creates the sweep that encrypts the secrets of columns again with the current key, so that the other keys can be removed. */
export function createResealSweep(name: string, columns: readonly SealedColumn[]): Sweep {
  return {
    name,
    everySeconds: 600,
    async run(context) {
      let resealed = 0;
      for (const column of columns) resealed += await resealColumn(context, column);
      return resealed;
    },
  };
}

/** Returns the SQL pattern of all secrets encrypted with a key of a ring. Only the encryption ring encrypts new ones. */
export function getSealPattern(ring: "signing" | "encryption", kid: string): string {
  return toPattern(buildPrefix(ring === "signing" ? DERIVED_VERSION : VERSION, { kid }));
}

// A kid may contain any character, including dots.
const buildPrefix = (version: string, { kid }: Pick<EncryptionKey, "kid">) =>
  `${version}.${Buffer.from(kid).toString("base64url")}.`;

const toPattern = (prefix: string) => `${escapeLike(prefix)}%`;
