import jwt from "jsonwebtoken";
import { createPublicKey } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { callAddin, callAddinFrom, buildRequest } from "#tests/factories/addin.ts";
import { createDevice, createExpiredLicence, createLicence } from "#tests/factories/licence.ts";
import { createUser, signInAs } from "#tests/factories/user.ts";
import { readProof } from "#tests/support/proof.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const user = await createUser(app);
let jwks: Parameters<typeof readProof>[1];

beforeAll(async () => {
  jwks = (await app.rest("GET", "/v1/licence/signing-keys")).json;
});

describe("proof of an answer", () => {
  test("signs the data, the request's nonce and the device, and is valid for as long as the device may run", async () => {
    const licence = await createLicence(app, user);
    const body = buildRequest(app, licence.licenceCode);
    const { json } = await app.rest("POST", "/v1/licence/activate", { body });
    const { header, payload } = readProof(json.proof, jwks) ?? {};
    expect(header).toEqual({ alg: "ES256", typ: "licence-proof", kid: jwks.keys[0]?.kid });
    expect(Object.keys(payload ?? {})).toEqual(["data", "nonce", "fingerprint", "iat", "exp"]);
    expect(payload).toMatchObject({ data: json.data, nonce: body.nonce, fingerprint: body.machine.fingerprint });
    expect(payload?.iat).toBe(Math.floor(Date.parse(json.data.serverTimeUtc) / 1000));
    expect(payload?.exp).toBe(Math.floor(Date.parse(json.data.graceUntilUtc) / 1000));
  });

  test("signs a refusal that is valid for five minutes", async () => {
    const licence = await createExpiredLicence(app, user);
    const { json } = await callAddinFrom(app, await createDevice(app, licence), "validate", licence);
    const { payload } = readProof(json.proof, jwks) ?? {};
    expect(payload?.data).toEqual(json.data);
    expect((payload?.exp as number) - (payload?.iat as number)).toBe(300);
  });

  test("fails verification if a single character is changed", async () => {
    const { json } = await callAddin(app, "activate", await createLicence(app, user));
    const proof: string = json.proof;
    expect(readProof(proof, jwks)).not.toBeNull();
    const [head, body, signature = ""] = proof.split(".");
    const forged = JSON.parse(Buffer.from(body ?? "", "base64url").toString());
    forged.data.licence.expiryDateUtc = "2099-12-31T00:00:00.000Z";
    const forgedBody = Buffer.from(JSON.stringify(forged)).toString("base64url");
    expect(readProof(`${head}.${forgedBody}.${signature}`, jwks)).toBeNull();
    for (const at of [0, 20, 60]) {
      const other = signature[at] === "A" ? "B" : "A";
      const broken = signature.slice(0, at) + other + signature.slice(at + 1);
      expect(readProof(`${head}.${body}.${broken}`, jwks)).toBeNull();
    }
  });

  test("is a JWS that a standard library can verify with the published key", async () => {
    const { json } = await callAddin(app, "activate", await createLicence(app, user));
    const key = createPublicKey({ key: jwks.keys[0] as never, format: "jwk" });
    expect(jwt.verify(json.proof, key, { algorithms: ["ES256"] })).toMatchObject({ data: json.data });
  });

  test("is not accepted as an access token, nor an access token as a proof", async () => {
    const { json } = await callAddin(app, "activate", await createLicence(app, user));
    expect((await app.rest("GET", `/v1/licence/${user.id}`, { token: json.proof })).status).toBe(401);
    const { header } = readProof(await signInAs(app, user), jwks) ?? {};
    expect(header?.typ).not.toBe("licence-proof");
  });
});
