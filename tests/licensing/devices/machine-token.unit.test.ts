import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { findMachineToken, newMachineToken } from "#api/licensing/devices/machine-token.ts";
import { hashSecret } from "#api/platform/secrets.ts";
import { generateSigningJwk, loadSigningKeys } from "#api/platform/signing-keys.ts";

const dataDir = mkdtempSync(join(tmpdir(), "portal-keys-"));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const [first, second] = [generateSigningJwk(), generateSigningJwk()];
const keysOf = (...keys: unknown[]) => loadSigningKeys({ dataDir, signingKeys: JSON.stringify({ keys }) });

test("a device's token is the same every time, and another device's another", () => {
  const keys = keysOf(first);
  expect(newMachineToken(keys, "one")).toBe(newMachineToken(keys, "one"));
  expect(newMachineToken(keys, "one")).not.toBe(newMachineToken(keys, "two"));
  expect(newMachineToken(keys, "one")).toMatch(/^[\w-]{43}$/);
});

test("a token survives a new signing key for as long as the old one is kept", () => {
  const token = newMachineToken(keysOf(first), "one");
  const device = { id: "one", tokenHash: hashSecret(token) };
  expect(findMachineToken(keysOf(second, first), device)).toBe(token);
  expect(findMachineToken(keysOf(second), device)).toBeNull();
});
