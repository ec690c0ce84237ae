import { isDeepStrictEqual } from "node:util";
import type pg from "pg";
import { readProof } from "#tests/support/proof.ts";
import type { Contest } from "./contests.ts";
import { type AskingDevice, type Population, standingOf } from "./population.ts";
import type { BenchServer } from "./servers.ts";

interface Answer {
  readonly data: { readonly resultCode?: number; readonly [name: string]: unknown };
  readonly proof: string;
}

/**
 * Whether everybody gives the same answers, before it matters how fast: to devices of every standing the product, the
 * statement run directly and the plain server must say the same, and the product's proof must be right.
 * @returns what differs, in sentences; none when all is well
 */
export async function compareAnswers(
  contest: Contest,
  population: Population,
  by: { product: BenchServer; plain: BenchServer | null; database: pg.Client },
): Promise<string[]> {
  const jwks = await (await fetch(`${by.product.url}/v1/licence/signing-keys`)).json();
  const faults: string[] = [];
  for (const [what, device] of casesFrom(population, contest)) {
    const body = contest.body(device);
    const answer = await ask(by.product, contest.path, body);
    const fault = (sentence: string) => faults.push(`${contest.name}, ${what}: ${sentence}`);
    if (!answer.proof) {
      fault(`the product answers without a proof: ${JSON.stringify(answer)}`);
      continue;
    }
    const { rows } = await by.database.query<{ resultCode?: number }>(contest.statement, [
      JSON.stringify([contest.row(device)]),
    ]);
    if (rows[0]?.resultCode !== answer.data?.resultCode)
      fault(`the product answers ${answer.data?.resultCode}, its statement ${rows[0]?.resultCode}.`);
    const proof = readProof(answer.proof, jwks as never);
    const { data, nonce } = proof?.payload ?? {};
    if (!isDeepStrictEqual(data, answer.data) || nonce !== (body as { nonce?: string }).nonce)
      fault("the proof is not right.");
    if (!by.plain) continue;
    const plain = await ask(by.plain, contest.path, body);
    if (Object.keys(plain.data).length === 0 || !agrees(answer.data, plain.data))
      fault(`the product and the plain server differ: ${JSON.stringify([answer.data, plain.data])}`);
  }
  return faults;
}

/** Devices of every standing, and one with the token of another. */
function casesFrom({ device, sizes, asking }: Population, { suits }: Contest): [string, AskingDevice][] {
  const ofStanding = (standing: string) => {
    const all = Array.from({ length: Math.min(sizes.licences, 500) }, (_, index) => device(index + 1));
    const found = all.find((one) => standingOf(one.n) === standing && suits(one));
    return found ? ([[`a licence that is ${standing}`, found]] as [string, AskingDevice][]) : [];
  };
  const asks = asking.filter(suits);
  const [first, second] = asks;
  return [
    ...asks.slice(0, 20).map((one): [string, AskingDevice] => [`device ${one.n}`, one]),
    ...["expired", "revoked", "suspended"].flatMap(ofStanding),
    ...(first && second
      ? ([["the token of another", { ...first, machineToken: second.machineToken }]] as [string, AskingDevice][])
      : []),
  ];
}

async function ask(
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

/** Whether `answer` says everything that `plain` says; the moments of the two are not the same. */
function agrees(answer: unknown, plain: unknown): boolean {
  if (typeof plain !== "object" || plain === null || Array.isArray(plain)) return isDeepStrictEqual(answer, plain);
  return Object.entries(plain).every(
    ([name, value]) =>
      name === "serverTimeUtc" || agrees((answer as Record<string, unknown> | undefined)?.[name], value),
  );
}
