import { expect, test } from "vitest";
import { sandboxCodes, sandboxPrefix } from "#schema/sandbox-codes.ts";
import {
  isWellFormedLicenceCode,
  generateLicenceCode,
  generateCheckedCharacters,
} from "#api/licensing/licences/licence-code.ts";
import { isSandboxCode } from "#api/licensing/sandbox/sandbox-licence.ts";
import { deriveSandboxKeys } from "#api/platform/keys/sandbox-keys.ts";
import { generateSigningJwk, toSigningKeys } from "#api/platform/keys/signing-keys.ts";

test("lists each sandbox code once, well-formed and with the reserved prefix", () => {
  for (const { licenceCode } of sandboxCodes) {
    expect(isWellFormedLicenceCode(licenceCode), licenceCode).toBe(true);
    expect(licenceCode.startsWith(sandboxPrefix), licenceCode).toBe(true);
    expect(isSandboxCode(licenceCode)).toBe(true);
    expect(isSandboxCode(licenceCode.replace("S", "ｓ"))).toBe(true);
    expect(isSandboxCode(` _${licenceCode.toLowerCase().replace("00", "oO")}`)).toBe(true);
  }
  expect(new Set(sandboxCodes.map(({ licenceCode }) => licenceCode)).size).toBe(sandboxCodes.length);
});

test("never issues a sandbox code: draws another code instead", () => {
  const drawn = ["SANDB".padEnd(30, "0"), "SANDC".padEnd(30, "0")];
  expect(generateLicenceCode(() => drawn.shift() ?? generateCheckedCharacters(29))).toMatch(/^SANDC-/);
});

test("does not treat other codes as sandbox codes", () => {
  for (const typed of ["SANDB-10000-00000", "9K2MX-00000", "", "S", "sandc 00", "ѕandb-00"])
    expect(isSandboxCode(typed)).toBe(false);
});

test("derives a sandbox key from each signing key: the same in every process, with a different id", () => {
  const jwks = [generateSigningJwk(), generateSigningJwk()];
  const [here, there] = [toSigningKeys(jwks), toSigningKeys(structuredClone(jwks))];
  const { keys } = deriveSandboxKeys(here).jwks();
  expect(deriveSandboxKeys(there).jwks().keys).toEqual(keys);
  expect(keys.map(({ kid }) => kid)).toEqual(jwks.map(({ kid }) => `sandbox-${kid}`));
  expect(deriveSandboxKeys(here).current.kid).toBe(`sandbox-${here.current.kid}`);
  const trusted = here.jwks().keys.map(({ x }) => x);
  for (const { x, kid } of keys) {
    expect(trusted).not.toContain(x);
    expect(here.find(kid)).toBeNull();
  }
});
