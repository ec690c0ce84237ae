import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { Contest } from "./contests.ts";
import { countStored, layOutQuestions } from "./data.ts";
import { compareAnswers } from "./equal-answers.ts";
import type { LoadResult } from "./load/load.ts";
import { pgbenchScript, runPgbench } from "./load/pgbench.ts";
import { contendersTable, type Verdict } from "./report.ts";
import { type Contender, ratiosOf, runRounds, type Sample } from "./rounds.ts";
import { startPlainServer, startProduct } from "./servers.ts";
import type { Bench, Suite } from "./suite.ts";
import { watchMemory } from "./watch-memory.ts";

const PRODUCT = "product";
const PGBENCH = "pgbench";
const PLAIN = "plain server";

/** The suite of a call of the add-in: product, pgbench and plain server side by side (docs/performance.md). */
export function compareContest(contest: Contest): Suite {
  return async (bench) => {
    const { ground, data, say } = bench;
    const database = await data.database("many");
    const client = await ground.connect(database);
    const questions = await layOutQuestions(ground, client, contest, data.population);
    const faults: string[] = [];
    say(`${questions.count} devices ask`);

    const samples = await race(bench, contest, { database, client, questions, faults });
    say(contendersTable(samples));
    const verdicts = ratioVerdicts(samples);
    verdicts.push(await watchMemory(bench, contest, { database, client, file: questions.file, faults }));
    await client.end();
    return { suite: contest.name, verdicts, faults };
  };
}

interface Course {
  readonly database: string;
  readonly client: pg.Client;
  readonly questions: { file: string; count: number };
  readonly faults: string[];
}

/** Compares the answers, then the contenders, then the rows with the answers. */
async function race(bench: Bench, contest: Contest, course: Course): Promise<Map<string, Sample[]>> {
  const { ground, data, generator, options, say } = bench;
  const { database, client, questions, faults } = course;
  const product = await startProduct(ground, database, { from: bench.product });
  const plain = await startPlainServer(ground, database, product);
  try {
    faults.push(...(await compareAnswers(contest, data.population, { product, plain, database: client })));
    say(faults.length === 0 ? "equal answers, proofs verified" : "the answers DIFFER");
    const before = await countStored(client, contest.kind);
    const tally = { answers: 0, maybe: 0, errors: 0 };
    const counted = async (result: Promise<LoadResult>, unanswered: number) => {
      const { requests, warmUps, errors } = await result;
      tally.answers += warmUps + requests - errors;
      tally.maybe += unanswered;
      tally.errors += errors;
      return result;
    };
    const load = (server: { port: number }) => ({
      port: server.port,
      path: contest.path,
      file: questions.file,
      connections: options.connections,
    });
    const script = bench.hasPgbench ? pgbenchScript(contest.statement, questions.count) : "";
    const contenders: Contender[] = [
      {
        name: PRODUCT,
        pid: product.pid,
        database: client,
        run: (seconds) => counted(generator.send(load(product), seconds), options.connections),
      },
      ...(bench.hasPgbench
        ? [
            {
              name: PGBENCH,
              pid: null,
              database: client,
              run: (seconds: number, begin: () => void) =>
                counted(
                  runPgbench(ground, database, script, { ...options, clients: options.connections, seconds, begin }),
                  0,
                ),
            },
          ]
        : []),
      {
        name: PLAIN,
        pid: plain.pid,
        database: client,
        run: (seconds) => counted(generator.send(load(plain), seconds), options.connections),
      },
    ];
    const samples = await runRounds(contenders, options, say);
    // What was under way when a load generator stopped may be stored without having been answered.
    await sleep(500);
    const stored = (await countStored(client, contest.kind)) - before;
    say(`${stored} stored for ${tally.answers} answers`);
    if (stored < tally.answers || stored > tally.answers + tally.maybe)
      faults.push(`${contest.name}: ${tally.answers} were answered and ${stored} are stored.`);
    if (tally.errors > 0) faults.push(`${contest.name}: ${tally.errors} requests failed.`);
    return samples;
  } finally {
    await plain.stop();
    await product.stop();
  }
}

function ratioVerdicts(samples: ReadonlyMap<string, readonly Sample[]>): Verdict[] {
  const [product = [], pgbench = [], plain = []] = [PRODUCT, PGBENCH, PLAIN].map((name) => samples.get(name));
  const verdicts: Verdict[] = [];
  if (pgbench.length > 0) {
    const spread = ratiosOf(product, pgbench);
    const name = "V1 product : pgbench with the same statement";
    verdicts.push({ name, value: spread.median, spread, bar: { least: 0.35 }, aim: "1.15" });
  }
  const spread = ratiosOf(product, plain);
  const name = "V2 product : plain Fastify + pg transaction";
  verdicts.push({ name, value: spread.median, spread, bar: { least: 2 }, aim: "5" });
  return verdicts;
}
