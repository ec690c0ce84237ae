import { isoCBOR } from "@simplewebauthn/server/helpers";
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest();
const base64url = (data: Uint8Array) => Buffer.from(data).toString("base64url");

interface Asked {
  challenge: string;
  rp?: { id: string };
  rpId?: string;
}

/** A passkey in software that answers as a browser would; `origin` is the page it is asked from. */
export function softwarePasskey(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = randomBytes(32);
  let counter = 0;
  const coordinates = publicKey.export({ format: "jwk" });
  const coordinate = (name: "x" | "y") => new Uint8Array(Buffer.from(coordinates[name] ?? "", "base64url"));

  const clientData = (type: string, challenge: string, from: string) =>
    new TextEncoder().encode(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }));

  function authenticatorData(rpId: string, flags: number, more: Uint8Array = new Uint8Array()): Uint8Array {
    const head = Buffer.alloc(5);
    head[0] = flags;
    head.writeUInt32BE(counter, 1);
    return Buffer.concat([sha256(rpId), head, more]);
  }

  return {
    /** The counter it will sign next goes on from here. */
    setCounter(value: number): void {
      counter = value;
    },
    /** The browser's answer to a request for a new passkey, as JSON. */
    create(options: string): string {
      const { challenge, rp } = JSON.parse(options) as Asked;
      const key = new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, coordinate("x")],
        [-3, coordinate("y")],
      ]);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const credential = Buffer.concat([Buffer.alloc(16), length, id, isoCBOR.encode(key as never)]);
      const attestation = new Map<string, unknown>([
        ["fmt", "none"],
        ["attStmt", new Map()],
        ["authData", new Uint8Array(authenticatorData(rp?.id ?? "", 0x45, credential))],
      ]);
      return JSON.stringify({
        id: base64url(id),
        rawId: base64url(id),
        type: "public-key",
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64url(clientData("webauthn.create", challenge, origin)),
          attestationObject: base64url(isoCBOR.encode(attestation as never)),
          transports: ["internal"],
        },
      });
    },
    /** The browser's answer to a request for this passkey, as JSON; `from` pretends another page asked. */
    answer(options: string, from = origin): string {
      counter++;
      const { challenge, rpId } = JSON.parse(options) as Asked;
      const client = clientData("webauthn.get", challenge, from);
      const data = authenticatorData(rpId ?? "", 0x05);
      const signature = sign("sha256", Buffer.concat([data, sha256(client)]), privateKey);
      return JSON.stringify({
        id: base64url(id),
        rawId: base64url(id),
        type: "public-key",
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64url(client),
          authenticatorData: base64url(data),
          signature: base64url(signature),
        },
      });
    },
  };
}
