import type { Pool } from "pg";
import type { Services } from "#api/platform/context.ts";
import { openSecret, sealSecret } from "#api/platform/sealed-secrets.ts";
import { generateSecret } from "#api/platform/secrets.ts";

/** Name of the setting that contains the encrypted key, and the owner the key is bound to. */
const NAME = "audit-key";

const keyOfPool = new WeakMap<Pool, string | null>();

/**
 * Loads the key that seals audit entries and security events, and creates it in a new database (decision 0060). It is
 * stored encrypted, so that someone with access to the database alone can't seal an entry.
 */
export async function loadAuditKey({ pool, keys, log }: Pick<Services, "pool" | "keys" | "log">): Promise<void> {
  await pool.query("insert into settings (name, value) values ($1, $2) on conflict (name) do nothing", [
    NAME,
    JSON.stringify({ sealed: sealSecret(keys, generateSecret(), NAME) }),
  ]);
  const { rows } = await pool.query<{ sealed: string }>(
    "select value->>'sealed' as sealed from settings where name = $1",
    [NAME],
  );
  const key = openSecret(keys, rows[0]?.sealed ?? "", NAME);
  if (key === null) log.error("can't open the key of the audit log because its encryption key is missing");
  keyOfPool.set(pool, key);
}

/** Returns the key of the audit log. Null if it can't be opened; entries then stay unsealed, which `audit verify` reports. */
export function getAuditKey({ pool }: Pick<Services, "pool">): string | null {
  return keyOfPool.get(pool) ?? null;
}

/** Encrypts the key again if it isn't encrypted with the current key. Returns the number of changed settings. */
export async function resealAuditKey({ pool, keys }: Pick<Services, "pool" | "keys">, prefix: string): Promise<number> {
  const key = getAuditKey({ pool });
  if (key === null) return 0;
  const { rowCount } = await pool.query(
    "update settings set value = $2 where name = $1 and not starts_with(value->>'sealed', $3)",
    [NAME, JSON.stringify({ sealed: sealSecret(keys, key, NAME) }), prefix],
  );
  return rowCount ?? 0;
}
