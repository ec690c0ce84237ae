import type { DueWork } from "#api/platform/due-work.ts";
import { currentSealPrefix, openSecret, sealSecret } from "#api/platform/sealed-secrets.ts";

const AT_ONCE = 100;

/**
 * Seals app secrets anew under the current signing key while the one before is still listed, so that it can be taken
 * out of `SIGNING_KEYS`. One that no listed key opens is left as it is.
 */
export const resealAppSecrets: DueWork = {
  name: "reseal-app-secrets",
  everySeconds: 600,
  async run({ pool, keys }) {
    const openable = keys.jwks().keys.filter(({ kid }) => kid !== keys.current.kid);
    const prefixes = openable.map(({ kid }) => currentSealPrefix({ current: keys.find(kid) ?? keys.current }));
    if (prefixes.length === 0) return 0;
    const { rows } = await pool.query<{ id: string; user_id: string; secret: string }>(
      "select id, user_id, secret from authenticator_apps where secret like any($1) limit $2",
      [prefixes.map((prefix) => `${prefix.replace(/[\\%_]/g, "\\$&")}%`), AT_ONCE],
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
