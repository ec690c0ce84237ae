import { generateKeyPairSync, verify } from "node:crypto";
import { expect, test } from "vitest";
import { signLicenceProof } from "#api/licensing/licences/licence-proof.ts";

test("signs with 64 valid bytes, even when r or s begins with a zero byte", () => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const key = { kid: "one", privateKey, publicKey };
  const services = {
    clock: { now: () => new Date() },
    keys: { current: key, all: [key], find: () => key, jwks: () => ({ keys: [] }) },
  };
  let short = 0;
  // About one in 128 signatures has an integer that begins with a zero byte.
  for (let n = 0; short === 0; n++) {
    const content = { type: "licence-proof", data: { n }, nonce: "nonce", fingerprint: "fingerprint" } as const;
    const [head = "", body = "", signature = ""] = signLicenceProof(services, {
      ...content,
      expiresAt: new Date(),
    }).split(".");
    const bytes = Buffer.from(signature, "base64url");
    expect(bytes).toHaveLength(64);
    if (bytes[0] === 0 || bytes[32] === 0) short++;
    const asJws = { key: publicKey, dsaEncoding: "ieee-p1363" } as const;
    expect(verify("sha256", Buffer.from(`${head}.${body}`), asJws, bytes)).toBe(true);
  }
});
