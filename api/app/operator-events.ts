import { isDeepStrictEqual } from "node:util";
import { recordSecurityEvent } from "#api/audit/security-events/record-security-event.ts";
import { type Context, createContext, type Services } from "#api/platform/context.ts";
import { type EntityManager, inTransaction, query } from "#api/platform/database/database.ts";
import { type KeyRing, keyRings } from "#api/platform/keys/key-files.ts";
import { takeUnreportedRestore } from "./backup/post-restore.ts";

/** Name of the setting with the ids of the keys that the last started process used. */
const NAME = "known-keys";

/** Ids of the keys of each ring. The first one signs or encrypts. */
type KeyIds = Readonly<Record<KeyRing, readonly string[]>>;

/** The setting: the keys, and the time at which a process first used the first one of each ring. */
export interface KnownKeys extends KeyIds {
  /** Missing until a process of this version has started. */
  readonly since?: Readonly<Record<KeyRing, string>>;
}

/**
 * Records security events about what operators did outside the product: changed keys and a restored backup. Runs when a
 * process or a command starts, because keys can be changed in a file, a setting or by `server.js keys`. The first start on a
 * database only stores the ids of the keys.
 * @param requestId name of the command, or `startup`
 */
export async function recordOperatorEvents(services: Services, requestId: string): Promise<void> {
  const context = createContext(services, { origin: { requestId, ip: "" } });
  await inTransaction(context, async (em) => {
    const backupAt = await takeUnreportedRestore(em);
    if (backupAt !== null) await recordSecurityEvent(context, em, { type: "database.restored", detail: { backupAt } });
    await recordKeyChanges(context, em);
  });
}

async function recordKeyChanges(context: Context, em: EntityManager): Promise<void> {
  const now = listKeyIds(context);
  const [known] = await query<{ value: KnownKeys }>(em, "select value from settings where name = $1 for update", [
    NAME,
  ]);
  if (known?.value.since && keyRings.every((ring) => isDeepStrictEqual(known.value[ring], now[ring]))) return;
  if (known)
    for (const ring of keyRings)
      for (const detail of findChanges(ring, known.value[ring], now[ring]))
        await recordSecurityEvent(context, em, { type: "key.changed", detail });
  await query(
    em,
    `insert into settings (name, value) values ($1, $2)
     on conflict (name) do ${known ? "update set value = excluded.value" : "nothing"}`,
    [NAME, JSON.stringify({ ...now, since: dateKeys(known?.value, now, context.clock.now()) })],
  );
}

function listKeyIds({ keys, encryptionKeys, releaseKeys }: Services): KeyIds {
  return {
    signing: keys.jwks().keys.map(({ kid }) => kid),
    encryption: encryptionKeys.all.map(({ kid }) => kid),
    release: releaseKeys.jwks().keys.map(({ kid }) => kid),
  };
}

/** Returns since when the first key of each ring is used. One that hasn't changed keeps its time. */
function dateKeys(known: KnownKeys | undefined, now: KeyIds, at: Date): KnownKeys["since"] {
  const date = (ring: KeyRing) =>
    (known?.[ring][0] === now[ring][0] ? known?.since?.[ring] : undefined) ?? at.toISOString();
  return { signing: date("signing"), encryption: date("encryption"), release: date("release") };
}

function findChanges(ring: KeyRing, before: readonly string[], after: readonly string[]) {
  const added = after.filter((kid) => !before.includes(kid));
  const removed = before.filter((kid) => !after.includes(kid));
  const promoted = after.slice(0, 1).filter((kid) => kid !== before[0]);
  const toDetails = (change: "added" | "promoted" | "removed", kids: readonly string[]) =>
    kids.map((keyId) => ({ ring, change, keyId }));
  return [...toDetails("added", added), ...toDetails("promoted", promoted), ...toDetails("removed", removed)];
}
