import type { Sweep } from "#api/platform/sweeps.ts";
import { getCurrentSealPrefix, openSecret, sealSecret } from "#api/platform/sealed-secrets.ts";

const BATCH_SIZE = 100;

/**
 * Seals app secrets again under the current signing key while the previous key is still listed, so that it can be
 * removed from `SIGNING_KEYS`. Leaves a secret unchanged if no listed key opens it.
 */
export const resealAppSecrets: Sweep = {
  name: "reseal-app-secrets",
  everySeconds: 600,
  async run({ pool, keys }) {
    const openable = keys.jwks().keys.filter(({ kid }) => kid !== keys.current.kid);
    const prefixes = openable.map(({ kid }) => getCurrentSealPrefix({ current: keys.find(kid) ?? keys.current }));
    if (prefixes.length === 0) return 0;
    const { rows } = await pool.query<{ id: string; user_id: string; secret: string }>(
      "select id, user_id, secret from authenticator_apps where secret like any($1) limit $2",
      [prefixes.map((prefix) => `${prefix.replace(/[\\%_]/g, "\\$&")}%`), BATCH_SIZE],
    );
    let done = 0;
    for (const { id, user_id: userId, secret } of rows) {
      const opened = openSecret(keys, secret, userId);
      if (opened === null) continue;
      const { rowCount } = await pool.query("update authenticator_apps set secret = $3 where id = $1 and secret = $2", [
        id,
        secret,
        sealSecret(keys, opened, userId),
      ]);
      done += rowCount ?? 0;
    }
    return done;
  },
};
