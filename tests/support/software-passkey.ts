import { isoCBOR } from "@simplewebauthn/server/helpers";
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest();
const base64url = (data: Uint8Array) => Buffer.from(data).toString("base64url");

interface PasskeyOptions {
  challenge: string;
  rp?: { id: string };
  rpId?: string;
}

/** Creates a passkey in software that responds as a browser does on a page of `origin`. */
export function createSoftwarePasskey(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = randomBytes(32);
  const base = { id: base64url(id), rawId: base64url(id), type: "public-key", clientExtensionResults: {} };
  let counter = 0;
  const coordinates = publicKey.export({ format: "jwk" });
  const getCoordinate = (name: "x" | "y") => new Uint8Array(Buffer.from(coordinates[name] ?? "", "base64url"));

  const buildClientData = (type: string, challenge: string, from: string) =>
    new TextEncoder().encode(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }));

  function buildAuthenticatorData(rpId: string, flags: number, more: Uint8Array = new Uint8Array()): Uint8Array {
    const head = Buffer.alloc(5);
    head[0] = flags;
    head.writeUInt32BE(counter, 1);
    return Buffer.concat([sha256(rpId), head, more]);
  }

  return {
    /** Sets the signature counter. */
    setCounter(value: number): void {
      counter = value;
    },
    /** Returns the registration response as JSON. */
    create(options: string): string {
      const { challenge, rp } = JSON.parse(options) as PasskeyOptions;
      const key = new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, getCoordinate("x")],
        [-3, getCoordinate("y")],
      ]);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const credential = Buffer.concat([Buffer.alloc(16), length, id, isoCBOR.encode(key as never)]);
      const attestation = new Map<string, unknown>([
        ["fmt", "none"],
        ["attStmt", new Map()],
        ["authData", new Uint8Array(buildAuthenticatorData(rp?.id ?? "", 0x45, credential))],
      ]);
      const clientDataJSON = base64url(buildClientData("webauthn.create", challenge, origin));
      const attestationObject = base64url(isoCBOR.encode(attestation as never));
      return JSON.stringify({ ...base, response: { clientDataJSON, attestationObject, transports: ["internal"] } });
    },
    /**
     * Returns the authentication response as JSON. `from` is the origin that it reports, and `isOwnerChecked` whether the
     * device has checked its owner.
     */
    answer(options: string, from = origin, { isOwnerChecked = true } = {}): string {
      counter++;
      const { challenge, rpId } = JSON.parse(options) as PasskeyOptions;
      const client = buildClientData("webauthn.get", challenge, from);
      const data = buildAuthenticatorData(rpId ?? "", isOwnerChecked ? 0x05 : 0x01);
      const signature = sign("sha256", Buffer.concat([data, sha256(client)]), privateKey);
      const signed = { clientDataJSON: base64url(client), authenticatorData: base64url(data) };
      return JSON.stringify({ ...base, response: { ...signed, signature: base64url(signature) } });
    },
  };
}
