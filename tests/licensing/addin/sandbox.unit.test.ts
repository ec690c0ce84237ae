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
import {
  checkSandboxToken,
  createSandboxToken,
  deriveSandboxId,
  deriveSandboxLeaseId,
  isSandboxLease,
} from "#api/licensing/sandbox/sandbox-tokens.ts";

test("lists each sandbox code once, well-formed and with the reserved prefix", () => {
  for (const { licenceCode } of sandboxCodes) {
    expect(isWellFormedLicenceCode(licenceCode), licenceCode).toBe(true);
    expect(licenceCode.startsWith(sandboxPrefix), licenceCode).toBe(true);
    expect([isSandboxCode(licenceCode), isSandboxCode(licenceCode.replace("S", "ｓ"))]).toEqual([true, true]);
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

const [old, fresh] = [generateSigningJwk(), generateSigningJwk()];
const keys = toSigningKeys([old]);
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/;

test("a token belongs to one code and one machine, as long as its key is kept", () => {
  const token = createSandboxToken(keys, "code", "print");
  // As long as a real token.
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(createSandboxToken(keys, "code", "print")).toBe(token);
  const check = (code: string, print: string, kept = keys) => checkSandboxToken(kept, token, code, print);
  expect([check("code", "print"), check("other", "print")]).toEqual(["this-device", "another-licence"]);
  expect(check("code", "other")).toBe("another-machine");
  expect(check("code", "print", toSigningKeys([fresh, old]))).toBe("this-device");
  expect(check("code", "print", toSigningKeys([fresh]))).toBe("unknown");
});

test("a forged token is unknown", () => {
  const token = createSandboxToken(keys, "code", "print");
  const bytes = Buffer.from(token, "base64url");
  for (let at = 0; at < bytes.length; at++) {
    const forged = Buffer.from(bytes);
    forged[at] = (forged[at] ?? 0) ^ 1;
    expect(checkSandboxToken(keys, forged.toString("base64url"), "code", "print")).toBe("unknown");
  }
  for (const other of ["", token.slice(0, -2), `${token}AA`])
    expect(checkSandboxToken(keys, other, "code", "print")).toBe("unknown");
});

test("a lease belongs to one session on one machine, as long as its key is kept", () => {
  const lease = deriveSandboxLeaseId(keys, "code", "print", "session");
  expect(lease).toMatch(uuid);
  expect(deriveSandboxLeaseId(keys, "code", "print", "session")).toBe(lease);
  expect(deriveSandboxLeaseId(keys, "code", "print", "other")).not.toBe(lease);
  expect(isSandboxLease(keys, "code", "print", lease)).toBe(true);
  expect(isSandboxLease(keys, "code", "print", lease.toUpperCase())).toBe(true);
  expect(isSandboxLease(keys, "other", "print", lease)).toBe(false);
  expect(isSandboxLease(keys, "code", "other", lease)).toBe(false);
  expect(isSandboxLease(keys, "code", "print", `${lease.slice(0, -1)}${lease.endsWith("0") ? "1" : "0"}`)).toBe(false);
  expect(isSandboxLease(toSigningKeys([fresh, old]), "code", "print", lease)).toBe(true);
  expect(isSandboxLease(toSigningKeys([fresh]), "code", "print", lease)).toBe(false);
});

test("tokens and leases keep their values, so that stored ones stay valid", () => {
  const known = toSigningKeys([
    {
      kty: "EC",
      crv: "P-256",
      x: "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
      y: "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
      d: "jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI",
      kid: "known",
    },
  ]);
  expect(createSandboxToken(known, "code", "print")).toMatchInlineSnapshot(
    `"VpTQii5T_8rOlToOsIJGYR0IMJer4k1sWd9MbLt6pmY"`,
  );
  expect(deriveSandboxLeaseId(known, "code", "print", "session")).toMatchInlineSnapshot(
    `"3f3af1ec-ebbd-47dc-8acb-b36c466d42cb"`,
  );
  expect(deriveSandboxId("licence", "code")).toMatchInlineSnapshot(`"b40fc753-40bd-4523-842d-e283684043c0"`);
});
