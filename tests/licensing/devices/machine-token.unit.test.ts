import { expect, test } from "vitest";
import { findMachineToken, deriveMachineToken } from "#api/licensing/devices/machine-token.ts";
import { hashSecret } from "#api/platform/keys/secrets.ts";
import { generateSigningJwk, loadSigningKeys } from "#api/platform/keys/signing-keys.ts";
import { createTemporaryFolder } from "#tests/support/temporary-folder.ts";

const dataDir = createTemporaryFolder("portal-keys-");

const [first, second] = [generateSigningJwk(), generateSigningJwk()];
const loadKeys = (...keys: unknown[]) => loadSigningKeys({ dataDir, signingKeys: JSON.stringify({ keys }) });

test("derives the same token each time, and a different one for each device", () => {
  const keys = loadKeys(first);
  expect(deriveMachineToken(keys, "one")).toBe(deriveMachineToken(keys, "one"));
  expect(deriveMachineToken(keys, "one")).not.toBe(deriveMachineToken(keys, "two"));
  expect(deriveMachineToken(keys, "one")).toMatch(/^[\w-]{43}$/);
});

test("finds a token as long as its signing key is kept", () => {
  const token = deriveMachineToken(loadKeys(first), "one");
  const device = { id: "one", tokenHash: hashSecret(token) };
  expect(findMachineToken(loadKeys(second, first), device)).toBe(token);
  expect(findMachineToken(loadKeys(second), device)).toBeNull();
});
