import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { Contest } from "./contests.ts";
import { countStored, writeRequests } from "./data.ts";
import { compareResponses } from "./compare-responses.ts";
import type { LoadResult } from "./load/load.ts";
import { pgbenchScript, runPgbench } from "./load/pgbench.ts";
import { formatContenders, judgeMedian, type Verdict } from "./report.ts";
import { type Contender, calculateRatios, runRounds, type Sample } from "./rounds.ts";
import { startPlainServer, startProduct } from "./servers.ts";
import type { Bench, Suite } from "./suite.ts";
import { watchMemory } from "./watch-memory.ts";

const PRODUCT = "product";
const PGBENCH = "pgbench";
const PLAIN = "plain server";

/** Creates the suite for an add-in call, which compares the product, pgbench and the plain server (docs/performance.md). */
export function compareContest(contest: Contest): Suite {
  return async (bench) => {
    const { environment, data, print } = bench;
    const database = await data.getDatabase("many");
    const client = await environment.connect(database);
    const requests = await writeRequests(environment, client, contest, data.population);
    const faults: string[] = [];
    print(`${requests.count} devices send requests`);

    const samples = await runContenders(bench, contest, { database, client, questions: requests, faults });
    print(formatContenders(samples));
    const verdicts = getRatioVerdicts(samples);
    verdicts.push(await watchMemory(bench, contest, { database, client, file: requests.file, faults }));
    await client.end();
    return { suite: contest.name, verdicts, faults };
  };
}

interface Setup {
  readonly database: string;
  readonly client: pg.Client;
  readonly questions: { file: string; count: number };
  readonly faults: string[];
}

/** Compares the responses, runs the contenders, and checks the stored rows against the responses. */
async function runContenders(bench: Bench, contest: Contest, setup: Setup): Promise<Map<string, Sample[]>> {
  const { environment, data, generator, options, print } = bench;
  const { database, client, questions: requests, faults } = setup;
  const product = await startProduct(environment, database);
  const plain = await startPlainServer(environment, database, product);
  try {
    faults.push(...(await compareResponses(contest, data.population, { product, plain, database: client })));
    print(faults.length === 0 ? "equal responses, proofs verified" : "the responses DIFFER");
    const before = await countStored(client, contest.kind);
    const tally = { answers: 0, unanswered: 0, errors: 0 };
    const countResult = async (result: Promise<LoadResult>, unanswered: number) => {
      const { requests, warmUps, errors } = await result;
      tally.answers += warmUps + requests - errors;
      tally.unanswered += unanswered;
      tally.errors += errors;
      return result;
    };
    const getLoad = (server: { port: number }) => ({
      port: server.port,
      path: contest.path,
      file: requests.file,
      connections: options.connections,
    });
    const script = pgbenchScript(contest.statement, requests.count);
    const contenders: Contender[] = [
      {
        name: PRODUCT,
        pid: product.pid,
        database: client,
        run: (seconds) => countResult(generator.send(getLoad(product), seconds), options.connections),
      },
      {
        name: PGBENCH,
        pid: null,
        database: client,
        run: (seconds, begin) =>
          countResult(runPgbench(environment, database, script, { clients: options.connections, seconds, begin }), 0),
      },
      {
        name: PLAIN,
        pid: plain.pid,
        database: client,
        run: (seconds) => countResult(generator.send(getLoad(plain), seconds), options.connections),
      },
    ];
    const samples = await runRounds(contenders, options, print);
    // Requests in progress when a load generator stops may be stored without a response.
    await sleep(500);
    const stored = (await countStored(client, contest.kind)) - before;
    print(`${stored} events stored for ${tally.answers} responses`);
    if (stored < tally.answers || stored > tally.answers + tally.unanswered)
      faults.push(`${contest.name}: ${tally.answers} responses but ${stored} stored events.`);
    if (tally.errors > 0) faults.push(`${contest.name}: ${tally.errors} requests failed.`);
    return samples;
  } finally {
    await plain.stop();
    await product.stop();
  }
}

function getRatioVerdicts(samples: ReadonlyMap<string, readonly Sample[]>): Verdict[] {
  const [product = [], pgbench = [], plain = []] = [PRODUCT, PGBENCH, PLAIN].map((name) => samples.get(name));
  const [toPgbench, toPlain] = [calculateRatios(product, pgbench), calculateRatios(product, plain)];
  return [
    judgeMedian("V1 product : pgbench with the same statement", toPgbench, { least: 0.35 }, { goal: "1.15" }),
    judgeMedian("V2 product : plain Fastify + pg transaction", toPlain, { least: 2 }, { goal: "5" }),
  ];
}
