import { join } from "node:path";
import { expect } from "vitest";
import { jwsInLicenceFile, type ReadProof, readProof } from "./proof.ts";
import type { RestAnswer, TestApp } from "./test-app.ts";

/** Where the published JSON is kept, one file an answer. */
export const goldenFolder = join(import.meta.dirname, "../app/golden/v1");

/** Members that differ each time; masked by their names. */
const secrets = [
  "machineToken",
  "licenceCode",
  "nonce",
  "fingerprint",
  "kid",
  "x",
  "y",
  "requestId",
  "device_code",
  "user_code",
  "retry-after",
];

/** Compares answers with the published ones. `name` is written out where it is used: `golden-files` looks for it. */
export type SameAs = (name: string, answer: RestAnswer) => Promise<void>;

/**
 * How a test file compares answers with their golden files: what differs each time masked, ids and secrets by name,
 * times by their distance from the server's time; the proof or licence file taken apart, its signature checked by the keys
 of `keysPath`.
 */
export function goldenOf(app: Pick<TestApp, "rest">, keysPath = "/v1/licence/signing-keys"): SameAs {
  const read = async (jws: string): Promise<ReadProof | null> => readProof(jws, (await app.rest("GET", keysPath)).json);

  return async (name, answer) =>
    expect(masked(await partsOf(answer, read))).toMatchFileSnapshot(join(goldenFolder, `${name}.json`));
}

async function partsOf({ status, headers, json }: RestAnswer, read: (jws: string) => Promise<ReadProof | null>) {
  const retryAfter = headers.get("retry-after");
  const head = { status, ...(retryAfter ? { headers: { "retry-after": retryAfter } } : {}) };
  if (typeof json === "string" && json.includes("LICENCE FILE"))
    return { ...head, licenceFile: await read(jwsInLicenceFile(json)) };
  if (typeof json !== "object") return { ...head, body: json };
  return { ...head, ...json, ...(json.proof ? { proof: await read(json.proof) } : {}) };
}

// oxlint-disable-next-line typescript/no-explicit-any -- answers of every shape
function masked(parts: any): string {
  const data = parts.data ?? parts.licenceFile?.payload.data;
  const serverTime = Date.parse(data?.serverTimeUtc);
  const distance = (ms: number) => `<server time + ${Math.round((ms - serverTime) / 60_000)} min>`;
  const mask = (key: string, value: unknown): unknown => {
    // The sentences about a field, which has the same name.
    if (Array.isArray(value)) return value;
    if (key === "id") return "<id>";
    if (secrets.includes(key)) return `<${key}>`;
    if (key === "verification_uri_complete") return (value as string).replace(/code=.*/, "code=<user_code>");
    if (key.endsWith("Utc")) return distance(Date.parse(value as string));
    if (key === "iat" || key === "exp") return distance((value as number) * 1000);
    return value;
  };
  const text = JSON.stringify(parts, mask, 2);
  // Lists on one line where they fit, as the formatter writes them.
  const onOneLine = text.replace(/^(.*)\[\n\s+([^[\]{}]*?)\n\s+\](,?)$/gm, (whole, start, list, end) => {
    const line = `${start}[${list.replace(/\n\s+/g, " ")}]${end}`;
    return line.length > 120 ? whole : line;
  });
  return `${onOneLine}\n`;
}
