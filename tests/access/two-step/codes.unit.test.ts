import { expect, test } from "vitest";
import { generateRecoveryCode, normaliseRecoveryCode } from "#api/access/two-step/recovery-codes.ts";
import { buildAppSetupUri, generateAppSecret, findTimeStep } from "#api/access/two-step/totp.ts";
import { openSecret, sealSecret } from "#api/platform/keys/sealed-secrets.ts";
import { generateEncryptionJwk, toEncryptionKeys } from "#api/platform/keys/encryption-keys.ts";

// RFC 6238, appendix B, SHA-1: the secret is the ASCII text 12345678901234567890; the last six of eight digits.
const rfcSecret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
const at = (seconds: number) => new Date(seconds * 1_000);

test.each([
  [59, "287082", 1],
  [1_111_111_109, "081804", 37_037_036],
  [1_234_567_890, "005924", 41_152_263],
  [2_000_000_000, "279037", 66_666_666],
])("accepts the code from RFC 6238 for %d seconds: %s", (seconds, code, step) => {
  expect(findTimeStep(rfcSecret, code, at(seconds))).toBe(step);
});

test("accepts a code one step early or late", () => {
  const step = 41_152_263;
  for (const shift of [-1, 0, 1]) expect(findTimeStep(rfcSecret, "005924", at((step + shift) * 30 + 7))).toBe(step);
  for (const shift of [-2, 2]) expect(findTimeStep(rfcSecret, "005924", at((step + shift) * 30 + 7))).toBeNull();
});

test.each(["", "00592", "0059244", "abcdef", "００５９２４", "005924\n1"])("rejects the code %j", (code) => {
  expect(findTimeStep(rfcSecret, code, at(1_234_567_890))).toBeNull();
});

test("includes the brand, the address and a 160-bit secret in the setup URI", () => {
  const secret = generateAppSecret();
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  const uri = new URL(buildAppSetupUri(secret, "ada+x@example.com"));
  expect(uri.protocol + uri.host).toBe("otpauth:totp");
  expect(decodeURIComponent(uri.pathname)).toBe("/Planvarro Software:ada+x@example.com");
  expect(uri.searchParams.get("secret")).toBe(secret);
  expect(uri.searchParams.get("issuer")).toBe("Planvarro Software");
});

test("reads a recovery code in any letter case and with any separators", () => {
  const code = generateRecoveryCode();
  expect(code).toMatch(/^(?:[0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);
  expect(normaliseRecoveryCode(` ${code.toLowerCase().replaceAll("-", " ")} `)).toBe(code);
  expect(normaliseRecoveryCode("OILO-0000-0000-0000")).toBe("0110-0000-0000-0000");
  for (const typed of ["", "1234", "ABCD-EFGH-JKMN-PQR", "ABCD-EFGH-JKMN-PQRSU", "ABCD-EFGH-JKMN-PQR!"])
    expect(normaliseRecoveryCode(typed)).toBeNull();
});

test("seals a secret for its owner with a random nonce, detects changes, and opens it only while its key is listed", () => {
  const [old, fresh] = [generateEncryptionJwk(), generateEncryptionJwk()];
  const keys = toEncryptionKeys([old]);
  const sealed = sealSecret(keys, rfcSecret, "user-1");
  expect(sealed).not.toContain(rfcSecret);
  expect(sealSecret(keys, rfcSecret, "user-1")).not.toBe(sealed);
  expect(openSecret(toEncryptionKeys([fresh, old]), sealed, "user-1")).toBe(rfcSecret);
  expect(openSecret(toEncryptionKeys([fresh]), sealed, "user-1")).toBeNull();
  expect(openSecret(keys, sealed, "user-2")).toBeNull();
  const changed = `${sealed.slice(0, -2)}${sealed.at(-2) === "A" ? "B" : "A"}${sealed.at(-1)}`;
  const cut = `${sealed.split(".", 2).join(".")}.AAAA`;
  for (const broken of ["", "v1", "v2.x.y", changed, cut, `v1${sealed.slice(2)}`, rfcSecret])
    expect(openSecret(keys, broken, "user-1")).toBeNull();
});
