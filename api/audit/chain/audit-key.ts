import type { Pool } from "pg";
import type { Services } from "#api/platform/context.ts";
import { openSecret, createResealSweep, type SealedColumn, sealSecret } from "#api/platform/keys/sealed-secrets.ts";
import { generateSecret } from "#api/platform/keys/secrets.ts";

/** ID of the only row of `audit_keys`. */
const ID = "audit-log";

/** The column with the encrypted key of the audit log. */
export const auditKeyColumn: SealedColumn = { table: "audit_keys", column: "secret", boundTo: "id" };

const keyOfPool = new WeakMap<Pool, string | null>();

/**
 * Loads the key that seals audit entries and security events, and creates it in a new database (decision 0060). It is
 * stored encrypted, so that someone with access to the database alone can't seal an entry.
 */
export async function loadAuditKey(services: Pick<Services, "pool" | "encryptionKeys" | "log">): Promise<void> {
  const { pool, encryptionKeys, log } = services;
  await pool.query("insert into audit_keys (id, secret) values ($1, $2) on conflict (id) do nothing", [
    ID,
    sealSecret(encryptionKeys, generateSecret(), ID),
  ]);
  const { rows } = await pool.query<{ secret: string }>("select secret from audit_keys where id = $1", [ID]);
  const key = openSecret(encryptionKeys, rows[0]?.secret ?? "", ID);
  if (key === null) log.error("can't open the key of the audit log because its encryption key is missing");
  keyOfPool.set(pool, key);
}

/** Returns the key of the audit log. Null if it can't be opened; entries then stay unsealed, which `audit verify` reports. */
export function getAuditKey({ pool }: Pick<Services, "pool">): string | null {
  return keyOfPool.get(pool) ?? null;
}

/** Encrypts the key of the audit log again with the current encryption key, so that the other keys can be removed. */
export const resealAuditKey = createResealSweep("reseal-audit-key", [auditKeyColumn]);
