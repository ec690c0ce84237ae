import { join } from "node:path";
import { expect } from "vitest";
import { extractJws, type ReadProof, readProof } from "./proof.ts";
import type { RestResponse, TestApp } from "./test-app.ts";

/** Folder of the published JSON, one file per response. */
export const goldenFolder = join(import.meta.dirname, "../app/golden/v1");

/** Properties that differ in each run, masked with their names. */
const maskedProperties =
  "machineToken licenceCode nonce fingerprint kid x y requestId device_code user_code retry-after".split(" ");

/** Compares a response with a golden file. Tests pass `name` as a literal, because `golden-files` searches for it. */
export type GoldenComparison = (name: string, answer: RestResponse) => Promise<void>;

/**
 * Returns a function that compares responses with golden files. Before comparing, it replaces ids and secrets with their
 * property names, replaces times with their distance from the server time, and decodes proofs and licence files, whose
 * data is `<data>` where it equals that of the response. It verifies signatures with the keys of `keysPath`.
 */
export function createGoldenComparison(
  app: Pick<TestApp, "rest">,
  keysPath = "/v1/licence/signing-keys",
): GoldenComparison {
  const read = async (jws: string): Promise<ReadProof | null> => readProof(jws, (await app.rest("GET", keysPath)).json);

  return async (name, answer) =>
    expect(format(await decode(answer, read))).toMatchFileSnapshot(join(goldenFolder, `${name}.json`));
}

async function decode({ status, headers, json }: RestResponse, read: (jws: string) => Promise<ReadProof | null>) {
  const retryAfter = headers.get("retry-after");
  const head = { status, ...(retryAfter ? { headers: { "retry-after": retryAfter } } : {}) };
  if (typeof json === "string" && json.includes("LICENCE FILE"))
    return { ...head, licenceFile: await read(extractJws(json)) };
  if (typeof json !== "object") return { ...head, body: json };
  return { ...head, ...json, ...(json.proof ? { proof: omitRepeatedData(await read(json.proof), json.data) } : {}) };
}

/** Replaces the data of a proof if it is the same text as that of the response. */
const omitRepeatedData = (proof: ReadProof | null, data: unknown) =>
  proof && data && JSON.stringify(proof.payload.data) === JSON.stringify(data)
    ? { ...proof, payload: { ...proof.payload, data: "<data>" } }
    : proof;

// oxlint-disable-next-line typescript/no-explicit-any -- responses of every shape
function format(parts: any): string {
  const data = parts.data ?? parts.licenceFile?.payload.data;
  // An update has no server time; its proof is signed for the response.
  const serverTime = data ? Date.parse(data.serverTimeUtc) : parts.proof?.payload.iat * 1000;
  const distance = (ms: number) => `<server time + ${Math.round((ms - serverTime) / 60_000)} min>`;
  const mask = (key: string, value: unknown): unknown => {
    // A list contains the validation messages for a field with this name.
    if (Array.isArray(value)) return value;
    if (key === "id") return "<id>";
    if (maskedProperties.includes(key)) return `<${key}>`;
    if (key === "verification_uri_complete") return (value as string).replace(/code=.*/, "code=<user_code>");
    if (key.endsWith("Utc")) return distance(Date.parse(value as string));
    if (key === "iat" || key === "exp") return distance((value as number) * 1000);
    return value;
  };
  const text = JSON.stringify(parts, mask, 2);
  // Joins lists and objects that fit on one line, as the formatter does.
  const onOneLine = text.replace(
    /^(.*)(\[|(?<=": )\{)\n\s+([^[\]{}]*?)\n\s+([\]}],?)$/gm,
    (whole, start: string, open: string, list: string, end: string) => {
      const space = open === "{" ? " " : "";
      const line = [start, open, space, list.replace(/\n\s+/g, " "), space, end].join("");
      return line.length > 120 ? whole : line;
    },
  );
  return `${onOneLine}\n`;
}
