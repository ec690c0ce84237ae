import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { memberTypes } from "#schema/user.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import { type Contender, calculateRatios, runRounds, type Sample, calculateSpread } from "#bench/rounds.ts";
import { folderFor } from "#bench/environment.ts";
import { formatContenders, judgeMedian, type Verdict } from "#bench/report.ts";
import { type BenchServer, startPostgraphile, startProduct } from "#bench/servers.ts";
import type { Bench, Suite } from "#bench/suite.ts";
import { getAuthorization } from "#bench/timeline.ts";
import { createDirectory, searches } from "./directory.ts";
import { toProductFormat, buildListPage, buildNestedPage, type BenchRequest } from "./requests.ts";

const USERS_AT_FULL_SCALE = 100_000;
const directories = new Map<string, Promise<string>>();

/** N1 suite: measures the product against PostGraphile on a page of ten users with contacts, licences, devices, comments and invoices. */
export const compareNested: Suite = async (bench) =>
  withServers(bench, async ({ database, client, product, peer, faults }) => {
    const request = buildNestedPage();
    faults.push(...(await findDifferences(product, peer, [request])));
    const contenders = [
      createContender(bench, product, client, request),
      createContender(bench, peer, client, request),
    ];
    const samples = await runContenders(bench, contenders, faults);
    const spread = getRatio(samples, "product", "PostGraphile", request);
    const statements = calculateSpread(
      (samples.get(`product, ${request.name}`) ?? []).map((one) => one.statements),
    ).median;
    const verdicts: Verdict[] = [
      judgeMedian(`N1 nested page, product : PostGraphile (${database})`, spread, { least: 1.5 }, { goal: "2.7" }),
      { name: "statements a request, with the session check", value: statements, limit: { most: 8 } },
    ];
    return { suite: "admin/nested", verdicts, faults };
  });

/**
 * List suite. L1 measures the product against PostGraphile on the user list without a search, with a rare word and with a
 * common word. L2 measures deep pages and a list with ten times the rows.
 */
export const compareList: Suite = async (bench) =>
  withServers(bench, async ({ client, product, peer, faults }) => {
    const users = countUsers(bench);
    const lists = [
      buildListPage("none", {}),
      buildListPage("rare", { word: searches.rare }),
      buildListPage("common", { word: searches.common }),
    ];
    const totals = buildListPage("none, with total", { total: true });
    const rowsBefore = Math.min(24_990, users - 10);
    // The portal requests the next page with a cursor. A client that jumps to a page uses an offset.
    const deep = buildListPage("page 2,500", { after: await cursorBefore(product, rowsBefore) });
    const byOffset = buildListPage("page 2,500 by offset", { offset: rowsBefore });
    // The filter that the portal sends with a search: all user types and a period of one year.
    const year = {
      startDate: addMilliseconds(new Date(), -365 * DAY).toISOString(),
      endDate: new Date().toISOString(),
    };
    const filtered = buildListPage("rare in a year", {
      word: searches.rare,
      within: { userTypes: memberTypes.map(({ code }) => code), ...year },
    });
    faults.push(...(await findDifferences(product, peer, [...lists, byOffset])));
    if (!JSON.stringify(await loadData(product, filtered)).includes("Zephyr"))
      faults.push("The search within a year doesn't find the rare word.");
    if (!isDeepStrictEqual(await loadData(product, deep), await loadData(product, byOffset)))
      faults.push("Page 2,500 differs between cursor and offset.");
    const fewer = await getDirectory(bench, Math.max(100, Math.round(users / 10)), "few_users");
    const fewerClient = await bench.environment.connect(fewer);
    const small = await startProduct(bench.environment, fewer, startOptions);
    try {
      const contenders = [
        ...[...lists, totals].flatMap((one) => [
          createContender(bench, product, client, one),
          createContender(bench, peer, client, one),
        ]),
        createContender(bench, product, client, deep),
        createContender(bench, product, client, byOffset),
        createContender(bench, product, client, filtered),
        ...lists.map((one) => createContender(bench, { ...small, who: "a tenth" }, fewerClient, one)),
      ];
      const samples = await runContenders(bench, contenders, faults);
      const verdicts = lists.map((one, index) =>
        judgeMedian(
          `L1 list, ${one.name}, product : PostGraphile`,
          getRatio(samples, "product", "PostGraphile", one),
          { least: 1.5 },
          { goal: ["3.0", "2.2", "2.0"][index] ?? "" },
        ),
      );
      const counted = getRatio(samples, "product", "PostGraphile", totals);
      verdicts.push(
        judgeMedian("L1 with the total (limited for the product only)", counted, { least: 1.5 }, { isChecked: false }),
      );
      const first = samples.get("product, none") ?? [];
      for (const one of [deep, byOffset]) {
        const depth = calculateRatios(first, samples.get(`product, ${one.name}`) ?? []);
        const isChecked = one === deep;
        verdicts.push(judgeMedian(`L2 time of ${one.name} : page 1`, depth, { most: 1.3 }, { goal: "1.1", isChecked }));
      }
      const rare = samples.get("product, rare") ?? [];
      const narrowed = calculateRatios(rare, samples.get(`product, ${filtered.name}`) ?? []);
      verdicts.push(judgeMedian(`L2 time of ${filtered.name} : rare`, narrowed, { most: 1.3 }, { goal: "1.1" }));
      for (const one of lists) {
        const growth = getRatio(samples, "a tenth", "product", one);
        // With ten times the rows, a common word matches ten times as many users. Its time is reported but not checked.
        const isChecked = one.name !== "common";
        const name = `L2 time with ${users} users : a tenth, ${one.name}`;
        verdicts.push(judgeMedian(name, growth, { most: 1.3 }, { goal: "1.1", isChecked }));
      }
      return { suite: "admin/list", verdicts, faults };
    } finally {
      await small.stop();
      await fewerClient.end();
    }
  });

interface Setup {
  readonly database: string;
  readonly client: Awaited<ReturnType<Bench["environment"]["connect"]>>;
  readonly product: NamedServer;
  readonly peer: NamedServer;
  readonly faults: string[];
}

type NamedServer = BenchServer & { readonly who: string };

async function withServers(bench: Bench, work: (setup: Setup) => ReturnType<Suite>): ReturnType<Suite> {
  const users = countUsers(bench);
  const database = await getDirectory(bench, users, "all_users");
  const client = await bench.environment.connect(database);
  const product = await startProduct(bench.environment, database, startOptions);
  try {
    const peer = await startPostgraphile(bench.environment, database);
    try {
      const setup = {
        database: `${users} users`,
        client,
        product: { ...product, who: "product" },
        peer: { ...peer, who: "PostGraphile" },
        faults: [],
      };
      return await work(setup);
    } finally {
      await peer.stop();
    }
  } finally {
    await product.stop();
    await client.end();
  }
}

// Don't limit the product's heap, because PostGraphile's isn't limited. With 256 MB, the product would spend ten times as
// long on garbage collection as on its own work.
const startOptions = { rateLimits: "off", heap: "as npm start" } as const;

const countUsers = ({ options }: Bench) => Math.max(100, Math.round(USERS_AT_FULL_SCALE * options.scale));

/** Returns a database with this number of users. A run creates each database on first use. */
function getDirectory(bench: Bench, users: number, name: string): Promise<string> {
  const database =
    directories.get(name) ??
    createDirectory(bench.environment, name, users).then(() => {
      bench.print(`${name}: ${users} users, ${users * 3} licences, ${users * 5} devices`);
      return name;
    });
  directories.set(name, database);
  return database;
}

function createContender(
  bench: Bench,
  server: NamedServer,
  database: Contender["database"],
  request: BenchRequest,
): Contender {
  const isProduct = server.who !== "PostGraphile";
  const name = `${server.who}, ${request.name}`;
  const file = join(folderFor(bench.environment, "questions"), name.replaceAll(/\W+/g, "-"));
  writeFileSync(file, `${JSON.stringify(isProduct ? request.product : request.postgraphile)}\n`);
  const { port, pid } = server;
  const { connections } = bench.options;
  return {
    name,
    pid,
    database,
    run: async (seconds) => {
      const authorization = isProduct ? { authorization: await getAuthorization(server) } : {};
      return bench.generator.send({ port, path: "/graphql", connections, file, ...authorization }, seconds);
    },
  };
}

async function runContenders(bench: Bench, contenders: Contender[], faults: string[]): Promise<Map<string, Sample[]>> {
  const samples = await runRounds(contenders, bench.options, bench.print);
  bench.print(formatContenders(samples));
  const errors = [...samples.values()].flat().reduce((sum, sample) => sum + sample.errors, 0);
  if (errors > 0) faults.push(`${errors} requests failed.`);
  return samples;
}

function getRatio(samples: ReadonlyMap<string, Sample[]>, above: string, below: string, { name }: BenchRequest) {
  return calculateRatios(samples.get(`${above}, ${name}`) ?? [], samples.get(`${below}, ${name}`) ?? []);
}

/** Describes how the results of the two servers differ, including errors and empty results. */
async function findDifferences(
  product: NamedServer,
  peer: NamedServer,
  requests: readonly BenchRequest[],
): Promise<string[]> {
  const faults: string[] = [];
  for (const request of requests) {
    const productResult = await sendQuery(product, request.product, await getAuthorization(product));
    const peerResult = await sendQuery(peer, request.postgraphile);
    const rows = (productResult.data as { users?: { rows?: unknown[] } } | null)?.users?.rows?.length ?? 0;
    if (productResult.errors || peerResult.errors || rows === 0)
      faults.push(
        `${request.name}: ${JSON.stringify([productResult.errors ?? rows, peerResult.errors]).slice(0, 2_000)}`,
      );
    else if (!isDeepStrictEqual(productResult.data, toProductFormat(peerResult.data)))
      faults.push(
        `${request.name}: the results differ: ${JSON.stringify(productResult.data).slice(0, 800)} and ${JSON.stringify(toProductFormat(peerResult.data)).slice(0, 800)}`,
      );
  }
  return faults;
}

const loadData = async (product: NamedServer, request: BenchRequest) =>
  (await sendQuery(product, request.product, await getAuthorization(product))).data;

/** Returns the end cursor of the page whose last row is number `rows`. */
async function cursorBefore(product: NamedServer, rows: number): Promise<string> {
  const query = `{ users(first: 10, offset: ${rows - 10}) { endCursor } }`;
  const { data } = await sendQuery(product, { query }, await getAuthorization(product));
  return (data as { users: { endCursor: string } }).users.endCursor;
}

async function sendQuery(
  server: BenchServer,
  body: object,
  authorization?: string,
): Promise<{ data?: unknown; errors?: unknown }> {
  const response = await fetch(`${server.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(authorization ? { authorization } : {}) },
    body: JSON.stringify(body),
  });
  return (await response.json()) as { data?: unknown; errors?: unknown };
}
