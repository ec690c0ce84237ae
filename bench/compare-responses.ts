import { isDeepStrictEqual } from "node:util";
import type pg from "pg";
import { readProof } from "#tests/support/proof.ts";
import type { Contest } from "./contests.ts";
import { type BenchDevice, type Population, getLicenceState } from "./population.ts";
import type { BenchServer } from "./servers.ts";

interface Answer {
  readonly data: { readonly resultCode?: number; readonly [name: string]: unknown };
  readonly proof: string;
}

/**
 * Compares the responses before their speed is measured. For devices of licences in every state, the product, its statement and
 * the plain server must return the same data, and the product's proof must be valid.
 * @returns a sentence for each difference
 */
export async function compareResponses(
  contest: Contest,
  population: Population,
  by: { product: BenchServer; plain: BenchServer; database: pg.Client },
): Promise<string[]> {
  const jwks = await (await fetch(`${by.product.url}/v1/licence/signing-keys`)).json();
  const faults: string[] = [];
  for (const [description, device] of listCases(population, contest)) {
    const body = contest.buildBody(device);
    const answer = await send(by.product, contest.path, body);
    const fault = (sentence: string) => faults.push(`${contest.name}, ${description}: ${sentence}`);
    if (!answer.proof) {
      fault(`the product's response has no proof: ${JSON.stringify(answer)}`);
      continue;
    }
    const { rows } = await by.database.query<{ resultCode?: number }>(contest.statement, [
      JSON.stringify([contest.buildRow(device)]),
    ]);
    if (rows[0]?.resultCode !== answer.data?.resultCode)
      fault(`the product returns ${answer.data?.resultCode}, its statement ${rows[0]?.resultCode}.`);
    const proof = readProof(answer.proof, jwks as never);
    const { data, nonce } = proof?.payload ?? {};
    if (!isDeepStrictEqual(data, answer.data) || nonce !== (body as { nonce?: string }).nonce)
      fault("the proof is invalid.");
    const plain = await send(by.plain, contest.path, body);
    if (Object.keys(plain.data).length === 0 || !contains(answer.data, plain.data))
      fault(`the product and the plain server differ: ${JSON.stringify([answer.data, plain.data])}`);
  }
  return faults;
}

/** Returns devices of licences in every state, and a device with another device's token. */
function listCases({ device, sizes, loadDevices }: Population, { canSend }: Contest): [string, BenchDevice][] {
  const findDevice = (state: string) => {
    const all = Array.from({ length: Math.min(sizes.licences, 500) }, (_, index) => device(index + 1));
    const found = all.find((one) => getLicenceState(one.n) === state && canSend(one));
    return found ? ([[`a licence that is ${state}`, found]] as [string, BenchDevice][]) : [];
  };
  const devices = loadDevices.filter(canSend);
  const [first, second] = devices;
  return [
    ...devices.slice(0, 20).map((one): [string, BenchDevice] => [`device ${one.n}`, one]),
    ...["expired", "revoked", "suspended"].flatMap(findDevice),
    ...(first && second
      ? ([["another device's token", { ...first, machineToken: second.machineToken }]] as [string, BenchDevice][])
      : []),
  ];
}

async function send(
  server: BenchServer,
  path: string,
  body: object,
): Promise<Partial<Answer> & { data: Answer["data"] }> {
  const response = await fetch(`${server.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { data: {}, ...((await response.json()) as object) };
}

/** Returns whether `answer` contains everything in `plain` except the server time. */
function contains(answer: unknown, plain: unknown): boolean {
  if (typeof plain !== "object" || plain === null || Array.isArray(plain)) return isDeepStrictEqual(answer, plain);
  return Object.entries(plain).every(
    ([name, value]) =>
      name === "serverTimeUtc" || contains((answer as Record<string, unknown> | undefined)?.[name], value),
  );
}
