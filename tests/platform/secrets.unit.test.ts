import { expect, test } from "vitest";
import { deriveSecret, generateSecret, hashSecret, hashWithKey } from "#api/platform/keys/secrets.ts";
import { generateSigningJwk, toSigningKeys } from "#api/platform/keys/signing-keys.ts";

test("secrets have 256 random bits in base64url", () => {
  const secrets = Array.from({ length: 200 }, generateSecret);
  for (const secret of secrets) expect(secret).toMatch(/^[\w-]{43}$/);
  expect(new Set(secrets).size).toBe(secrets.length);
});

test("hashes keep their values, so that stored ones stay valid", () => {
  expect(hashSecret("secret")).toBe("K7gNU3sdo-OL0wNhqoVWhr3g6s1xYv72ol_pe_Unols");
  expect(deriveSecret("secret", "purpose")).toBe(deriveSecret("secret", "purpose"));
  expect(deriveSecret("secret", "purpose")).toMatch(/^[\w-]{43}$/);
  expect(deriveSecret("secret", "other")).not.toBe(deriveSecret("secret", "purpose"));
  expect(deriveSecret("other", "purpose")).not.toBe(deriveSecret("secret", "purpose"));
});

test("a keyed hash depends on the key, the purpose and the text", () => {
  const key = toSigningKeys([generateSigningJwk()]).current;
  const hash = hashWithKey(key, "codes", "123456");
  expect(hash).toMatch(/^[\w-]{43}$/);
  expect(hashWithKey(key, "codes", "123456")).toBe(hash);
  expect(hashWithKey(key, "codes", "123457")).not.toBe(hash);
  expect(hashWithKey(key, "other codes", "123456")).not.toBe(hash);
  expect(hashWithKey(toSigningKeys([generateSigningJwk()]).current, "codes", "123456")).not.toBe(hash);
  const publicOnly = { ...key, privateKey: key.publicKey };
  expect(() => hashWithKey(publicOnly, "codes", "123456")).toThrow("A signing key has no private part.");
});
