import { describe, expect, test } from "vitest";
import { sealedColumns } from "#api/app/commands/count-secrets.ts";
import {
  type EncryptionKeys,
  generateEncryptionJwk,
  loadEncryptionKeys,
  toEncryptionKeys,
} from "#api/platform/keys/encryption-keys.ts";
import { getSealPattern, openSecret, resealColumn, sealSecret } from "#api/platform/keys/sealed-secrets.ts";
import { generateSigningJwk, toSigningKeys } from "#api/platform/keys/signing-keys.ts";
import { addAuthenticator } from "#tests/factories/two-step.ts";
import { createUser } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { createTemporaryFolder } from "#tests/support/temporary-folder.ts";

const app = await startTestApp();
const dataDir = createTemporaryFolder("portal-rings-");

const readAppSecret = async (userId: string): Promise<string> =>
  (await app.services.pool.query("select secret from authenticator_apps where user_id = $1", [userId])).rows[0].secret;

/** Encrypts a secret as the product did before it had encryption keys. */
function sealWithSigningKey({ derived: [key] }: EncryptionKeys, secret: string, boundTo: string): string {
  if (!key) throw new Error("no signing key");
  return sealSecret({ current: key }, secret, boundTo).replace(/^v2/, "v1");
}

describe("removing a stolen signing key by hand", () => {
  test("loses no stored secret", async () => {
    const user = await createUser(app);
    const { secret } = await addAuthenticator(app, user);
    const sealed = await readAppSecret(user.id);
    const remaining = loadEncryptionKeys(app.services.config, toSigningKeys([generateSigningJwk()]));
    expect(openSecret(remaining, sealed, user.id)).toBe(secret);
  });

  test("loses no secret that was stored before the encryption ring existed, once it is encrypted again", async () => {
    const user = await createUser(app);
    const { secret } = await addAuthenticator(app, user);
    const { encryptionKeys, pool } = app.services;
    const { kid } = app.services.keys.current;
    const old = sealWithSigningKey(encryptionKeys, secret, user.id);
    await pool.query("update authenticator_apps set secret = $2, pending_secret = $2 where user_id = $1", [
      user.id,
      old,
    ]);
    expect(openSecret(encryptionKeys, await readAppSecret(user.id), user.id)).toBe(secret);

    let resealed = 0;
    for (const column of sealedColumns) resealed += await resealColumn(app.services, column);
    expect(resealed).toBe(2);
    for (const column of sealedColumns) expect(await resealColumn(app.services, column)).toBe(0);
    const remaining = toEncryptionKeys([toJwk(encryptionKeys)]);
    expect(openSecret(remaining, await readAppSecret(user.id), user.id)).toBe(secret);
    const { rowCount } = await pool.query("select from authenticator_apps where secret like $1", [
      getSealPattern("signing", kid),
    ]);
    expect(rowCount).toBe(0);
  });
});

test("encrypts secrets again in parallel processes without losing any", async () => {
  const users = await Promise.all(Array.from({ length: 4 }, () => createUser(app)));
  const secrets: string[] = [];
  for (const user of users) secrets.push((await addAuthenticator(app, user)).secret);
  const before = app.services.encryptionKeys;
  const rotated = { ...app.services, encryptionKeys: toEncryptionKeys([generateEncryptionJwk(), toJwk(before)]) };
  const [column] = sealedColumns;
  if (!column) throw new Error("no sealed column");
  await Promise.all(Array.from({ length: 4 }, () => resealColumn(rotated, column)));
  for (const [index, { id }] of users.entries()) {
    const { all } = rotated.encryptionKeys;
    expect(openSecret({ all: all.slice(0, 1), derived: [] }, await readAppSecret(id), id)).toBe(secrets[index]);
  }
});

test("generates one set of keys for processes that start concurrently", async () => {
  const config = { dataDir, encryptionKeys: null };
  const loaded = await Promise.all(
    Array.from({ length: 8 }, async () => loadEncryptionKeys(config, app.services.keys).current.kid),
  );
  expect(new Set(loaded).size).toBe(1);
});

function toJwk({ current }: EncryptionKeys) {
  return { kty: "oct", kid: current.kid, k: current.key.export().toString("base64url") } as const;
}
