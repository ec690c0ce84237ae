import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import type { Contest } from "./contests.ts";
import { writeRequests } from "./data.ts";
import { folderFor } from "./environment.ts";
import { type BenchServer, startProduct } from "./servers.ts";
import type { Bench } from "./suite.ts";

interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  /** Microseconds since the previous sample. */
  readonly timeDeltas: readonly number[];
}

const MAX_FUNCTIONS = 45;

/** Requests to send while the product is profiled. */
export interface ProfileLoad {
  readonly path: string;
  /** Every line is the body of a POST request. */
  readonly file: string;
  readonly authorization?: (product: BenchServer) => Promise<string>;
}

/** Prepares the requests of a contest. */
export const prepareContestLoad =
  (contest: Contest) =>
  async ({ environment, data }: Bench, client: pg.Client): Promise<ProfileLoad> => {
    const { file } = await writeRequests(environment, client, contest, data.population);
    return { path: contest.path, file };
  };

/** Returns a report of the product's own processor time by function. */
export async function profileProduct(
  bench: Bench,
  prepare: (bench: Bench, client: pg.Client) => Promise<ProfileLoad>,
): Promise<string> {
  const { environment, data, generator, options } = bench;
  const database = await data.getDatabase("many");
  const client = await environment.connect(database);
  const { path, file, authorization } = await prepare(bench, client);
  const folder = folderFor(environment, "profiles");
  const limits = authorization ? ({ rateLimits: "off" } as const) : {};
  const product = await startProduct(environment, database, { profileInto: folder, ...limits });
  const signedIn = authorization ? { authorization: await authorization(product) } : {};
  const load = { port: product.port, path, file, connections: options.connections, ...signedIn };
  await generator.send(load, options.seconds);
  const startedAt = performance.now();
  const { requests } = await generator.send(load, options.seconds * options.rounds);
  await product.stop();
  await client.end();
  const [name = ""] = readdirSync(folder);
  const profile = JSON.parse(readFileSync(join(folder, name), "utf8")) as CpuProfile;
  return formatSummary(withoutBeginning(profile, (performance.now() - startedAt) * 1_000), requests);
}

/** Returns the last `micros` microseconds of a profile, which excludes the start and warm-up of the process. */
function withoutBeginning(profile: CpuProfile, micros: number): CpuProfile {
  let left = micros;
  let first = profile.samples.length;
  while (first > 0 && left > 0) left -= profile.timeDeltas[--first] ?? 0;
  return { ...profile, samples: profile.samples.slice(first), timeDeltas: profile.timeDeltas.slice(first) };
}

/** Formats the functions with the most time, in µs per request and as a share of the busy time. */
function formatSummary({ nodes, samples, timeDeltas }: CpuProfile, requests: number): string {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const own = new Map<string, number>();
  const withCallees = new Map<string, number>();
  let busy = 0;
  samples.forEach((id, index) => {
    const micros = timeDeltas[index] ?? 0;
    const frame = frames.get(id);
    if (!frame || frame.functionName === "(idle)" || frame.functionName === "(root)") return;
    busy += micros;
    add(own, formatFrame(frame), micros);
    const seen = new Set<string>();
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const ancestor = frames.get(at);
      if (ancestor) seen.add(formatFrame(ancestor));
    }
    for (const one of seen) add(withCallees, one, micros);
  });
  const list = (title: string, times: Map<string, number>) => {
    const lines = [...times]
      .sort(([, a], [, b]) => b - a)
      .slice(0, MAX_FUNCTIONS)
      .map(([name, micros]) => `  ${percent(micros / busy)} ${(micros / requests).toFixed(1).padStart(7)} µs  ${name}`);
    return `${title}\n${lines.join("\n")}`;
  };
  return [
    `${requests} requests, ${(busy / requests).toFixed(0)} µs of the main thread each`,
    list("Time in the function itself", own),
    list("Time in the function and what it calls", withCallees),
  ].join("\n\n");
}

function formatFrame({ functionName, url, lineNumber }: CpuProfile["nodes"][number]["callFrame"]): string {
  const place = url.replace(/^.*\/(node_modules\/|dist\/)/, "$1").replace(/^file:\/\//, "");
  return `${functionName || "(anonymous)"}${place ? `  ${place}:${lineNumber + 1}` : ""}`;
}

function add(times: Map<string, number>, name: string, micros: number): void {
  times.set(name, (times.get(name) ?? 0) + micros);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1).padStart(5)} %`;
}
