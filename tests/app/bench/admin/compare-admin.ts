import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { after, DAY } from "#api/platform/clock.ts";
import { type Contender, ratiosOf, runRounds, type Sample, spreadOf } from "#tests/app/bench/rounds.ts";
import { folderFor } from "#tests/app/bench/ground.ts";
import { contendersTable, type Verdict } from "#tests/app/bench/report.ts";
import { type BenchServer, startPostgraphile, startProduct } from "#tests/app/bench/servers.ts";
import type { Bench, Suite } from "#tests/app/bench/suite.ts";
import { tokenFor } from "#tests/app/bench/timeline.ts";
import { createDirectory, hasComments, searches } from "./directory.ts";
import { inProductsWords, listPage, nestedPage, type Question } from "./questions.ts";

const USERS_AT_FULL_SCALE = 100_000;
const made = new WeakMap<Bench["ground"], Map<string, Promise<string>>>();

/** N1: ten users with contacts, licences with devices, comments and invoices, beside PostGraphile. */
export const compareNested: Suite = async (bench) =>
  withServers(bench, async ({ database, client, product, peer, faults }) => {
    const question = nestedPage(await hasComments(client));
    faults.push(...(await differences(product, peer, [question])));
    const contenders = [contender(bench, product, client, question), contender(bench, peer, client, question)];
    const samples = await race(bench, contenders, faults);
    const spread = ratio(samples, "product", "PostGraphile", question);
    const statements = spreadOf((samples.get(`product, ${question.name}`) ?? []).map((one) => one.statements)).median;
    const verdicts: Verdict[] = [
      {
        name: `N1 nested page, product : PostGraphile (${database})`,
        value: spread.median,
        spread,
        bar: { least: 1.5 },
        aim: "2.7",
      },
      { name: "statements a request, the check of the session among them", value: statements, bar: { most: 8 } },
    ];
    return { suite: "admin/nested", verdicts, faults };
  });

/**
 * L1: the list without a search, with a rare and with a common word, beside PostGraphile; L2: deep pages, ten times the
 * rows.
 */
export const compareList: Suite = async (bench) =>
  withServers(bench, async ({ client, product, peer, faults }) => {
    const users = usersAt(bench);
    const lists = [
      listPage("none", {}),
      listPage("rare", { word: searches.rare }),
      listPage("common", { word: searches.common }),
    ];
    const totals = listPage("none, with total", { total: true });
    const rowsBefore = Math.min(24_990, users - 10);
    // As the portal turns its pages, and as somebody who jumps there.
    const deep = listPage("page 2,500", { after: await cursorBefore(product, rowsBefore) });
    const jumped = listPage("page 2,500 by offset", { offset: rowsBefore });
    // As the portal searches: every type, a year.
    const year = {
      startDate: after(new Date(), -365 * DAY).toISOString(),
      endDate: new Date().toISOString(),
    };
    const filtered = listPage("rare in a year", { word: searches.rare, within: { userTypes: [1, 2, 3], ...year } });
    faults.push(...(await differences(product, peer, [...lists, jumped])));
    if (!JSON.stringify(await answerOf(product, filtered)).includes("Zephyr")) faults.push("A year has no rare word.");
    if (!isDeepStrictEqual(await answerOf(product, deep), await answerOf(product, jumped)))
      faults.push("Page 2,500 is another by its cursor than by offset.");
    const fewer = await directory(bench, Math.max(100, Math.round(users / 10)), "few_users");
    const fewerClient = await bench.ground.connect(fewer);
    const small = await startProduct(bench.ground, fewer, { from: bench.product, ...asStarted });
    try {
      const contenders = [
        ...[...lists, totals].flatMap((one) => [
          contender(bench, product, client, one),
          contender(bench, peer, client, one),
        ]),
        contender(bench, product, client, deep),
        contender(bench, product, client, jumped),
        contender(bench, product, client, filtered),
        ...lists.map((one) => contender(bench, { ...small, who: "a tenth" }, fewerClient, one)),
      ];
      const samples = await race(bench, contenders, faults);
      const verdicts: Verdict[] = lists.map((one, index) => {
        const spread = ratio(samples, "product", "PostGraphile", one);
        const aim = ["3.0", "2.2", "2.0"][index] ?? "";
        return {
          name: `L1 list, ${one.name}, product : PostGraphile`,
          value: spread.median,
          spread,
          bar: { least: 1.5 },
          aim,
        };
      });
      const counted = ratio(samples, "product", "PostGraphile", totals);
      verdicts.push({
        name: "the same with its total (capped, PostGraphile's is not)",
        value: counted.median,
        spread: counted,
        bar: { least: 1.5 },
        judged: false,
      });
      const first = samples.get("product, none") ?? [];
      for (const one of [deep, jumped]) {
        const depth = ratiosOf(first, samples.get(`product, ${one.name}`) ?? []);
        verdicts.push({
          name: `L2 time of ${one.name} : page 1`,
          value: depth.median,
          spread: depth,
          bar: { most: 1.3 },
          aim: "1.1",
          judged: one === deep,
        });
      }
      const rare = samples.get("product, rare") ?? [];
      const narrowed = ratiosOf(rare, samples.get(`product, ${filtered.name}`) ?? []);
      verdicts.push({
        name: `L2 time of ${filtered.name} : rare`,
        value: narrowed.median,
        spread: narrowed,
        bar: { most: 1.3 },
        aim: "1.1",
      });
      for (const one of lists) {
        const growth = ratiosOf(samples.get(`a tenth, ${one.name}`) ?? [], samples.get(`product, ${one.name}`) ?? []);
        // A common word finds ten times as many among ten times the rows; it is shown, and the other two are judged.
        const judged = one.name !== "common";
        verdicts.push({
          name: `L2 time with ${users} users : a tenth, ${one.name}`,
          value: growth.median,
          spread: growth,
          bar: { most: 1.3 },
          aim: "1.1",
          judged,
        });
      }
      return { suite: "admin/list", verdicts, faults };
    } finally {
      await small.stop();
      await fewerClient.end();
    }
  });

interface Course {
  readonly database: string;
  readonly client: Awaited<ReturnType<Bench["ground"]["connect"]>>;
  readonly product: NamedServer;
  readonly peer: NamedServer;
  readonly faults: string[];
}

type NamedServer = BenchServer & { readonly who: string };

async function withServers(bench: Bench, work: (course: Course) => ReturnType<Suite>): ReturnType<Suite> {
  const users = usersAt(bench);
  const database = await directory(bench, users, "all_users");
  const client = await bench.ground.connect(database);
  const product = await startProduct(bench.ground, database, { from: bench.product, ...asStarted });
  try {
    const peer = await startPostgraphile(bench.ground, database);
    try {
      const course = {
        database: `${users} users`,
        client,
        product: { ...product, who: "product" },
        peer: { ...peer, who: "PostGraphile" },
        faults: [],
      };
      return await work(course);
    } finally {
      await peer.stop();
    }
  } finally {
    await product.stop();
    await client.end();
  }
}

// PostGraphile's heap is not limited either. Within 256 MB the product would spend ten times its own work on garbage.
const asStarted = { rateLimits: "off", heap: "as npm start" } as const;

const usersAt = ({ options }: Bench) => Math.max(100, Math.round(USERS_AT_FULL_SCALE * options.scale));

/** A database with so many users, made once a run. */
function directory(bench: Bench, users: number, name: string): Promise<string> {
  const known = made.get(bench.ground) ?? new Map<string, Promise<string>>();
  made.set(bench.ground, known);
  const database =
    known.get(name) ??
    createDirectory(bench.ground, name, users).then(() => {
      bench.say(`${name}: ${users} users, ${users * 3} licences, ${users * 5} devices`);
      return name;
    });
  known.set(name, database);
  return database;
}

function contender(bench: Bench, server: NamedServer, database: Contender["database"], question: Question): Contender {
  const isProduct = server.who !== "PostGraphile";
  const name = `${server.who}, ${question.name}`;
  const file = join(folderFor(bench.ground, "questions"), name.replaceAll(/\W+/g, "-"));
  writeFileSync(file, `${JSON.stringify(isProduct ? question.product : question.postgraphile)}\n`);
  const { port, pid } = server;
  const { connections } = bench.options;
  return {
    name,
    pid,
    database,
    run: async (seconds) => {
      const authorization = isProduct ? { authorization: await tokenFor(server) } : {};
      return bench.generator.send({ port, path: "/graphql", connections, file, ...authorization }, seconds);
    },
  };
}

async function race(bench: Bench, contenders: Contender[], faults: string[]): Promise<Map<string, Sample[]>> {
  const samples = await runRounds(contenders, bench.options, bench.say);
  bench.say(contendersTable(samples));
  const errors = [...samples.values()].flat().reduce((sum, sample) => sum + sample.errors, 0);
  if (errors > 0) faults.push(`${errors} requests failed.`);
  return samples;
}

function ratio(samples: ReadonlyMap<string, Sample[]>, above: string, below: string, { name }: Question) {
  return ratiosOf(samples.get(`${above}, ${name}`) ?? [], samples.get(`${below}, ${name}`) ?? []);
}

/** What the two say differently, in sentences; also an answer with errors, or without a row. */
async function differences(product: NamedServer, peer: NamedServer, questions: readonly Question[]): Promise<string[]> {
  const faults: string[] = [];
  for (const question of questions) {
    const ours = await ask(product, question.product, await tokenFor(product));
    const theirs = await ask(peer, question.postgraphile);
    const rows = (ours.data as { users?: { rows?: unknown[] } } | null)?.users?.rows?.length ?? 0;
    if (ours.errors || theirs.errors || rows === 0)
      faults.push(`${question.name}: ${JSON.stringify([ours.errors ?? rows, theirs.errors]).slice(0, 2_000)}`);
    else if (!isDeepStrictEqual(ours.data, inProductsWords(theirs.data)))
      faults.push(
        `${question.name}: the answers differ: ${JSON.stringify(ours.data).slice(0, 800)} and ${JSON.stringify(inProductsWords(theirs.data)).slice(0, 800)}`,
      );
  }
  return faults;
}

const answerOf = async (product: NamedServer, question: Question) =>
  (await ask(product, question.product, await tokenFor(product))).data;

/** The cursor of the page that ends before so many rows. */
async function cursorBefore(product: NamedServer, rows: number): Promise<string> {
  const query = `{ users(filter: { limit: 10, offset: ${rows - 10} }) { endCursor } }`;
  const { data } = await ask(product, { query }, await tokenFor(product));
  return (data as { users: { endCursor: string } }).users.endCursor;
}

async function ask(
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
