import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { validation } from "./contests.ts";
import { type Amount, writeRequests } from "./data.ts";
import { folderFor } from "./environment.ts";
import { formatContenders, judgeMedian } from "./report.ts";
import { type Contender, calculateRatios, runRounds } from "./rounds.ts";
import { type BenchServer, startProduct } from "./servers.ts";
import type { Suite } from "./suite.ts";
import { findTimelineFault, signInOwner, buildTimelineRequests, getAuthorization } from "./timeline.ts";

const amounts: readonly Amount[] = ["few", "many"];
const MAX_RATIO = 1.3;

/** Compares requests when the history has few events and when it has many. Both must take the same time. */
export const compareAmounts: Suite = async ({ environment, data, generator, options, print }) => {
  const { connections } = options;
  const servers: BenchServer[] = [];
  const contenders: Contender[] = [];
  const faults: string[] = [];
  const timelineFile = join(folderFor(environment, "questions"), "timeline");
  writeFileSync(timelineFile, `${buildTimelineRequests().join("\n")}\n`);
  try {
    for (const amount of amounts) {
      const name = await data.getDatabase(amount);
      const database = await environment.connect(name);
      const { file } = await writeRequests(environment, database, validation, data.population);
      // Turn rate limits off: the benchmark loads one user's timeline more often than they allow.
      const server = await startProduct(environment, name, { rateLimits: "off" });
      servers.push(server);
      const { port, pid } = server;
      contenders.push({
        name: `validation, ${amount}`,
        pid,
        database,
        run: (seconds) => generator.send({ port, path: validation.path, file, connections }, seconds),
      });
      const fault = await findTimelineFault(server, await signInOwner(server));
      if (fault) faults.push(fault);
      contenders.push({
        name: `timeline, ${amount}`,
        pid,
        database,
        run: async (seconds) =>
          generator.send(
            { port, path: "/graphql", connections, file: timelineFile, authorization: await getAuthorization(server) },
            seconds,
          ),
      });
    }
    const samples = await runRounds(contenders, options, print);
    print(formatContenders(samples));
    const errors = [...samples.values()].flat().reduce((sum, sample) => sum + sample.errors, 0);
    if (errors > 0) faults.push(`licence/events: ${errors} requests failed.`);
    const verdicts = ["validation", "timeline"].map((kind) => {
      const [few = [], many = []] = amounts.map((amount) => samples.get(`${kind}, ${amount}`));
      const name = `${kind}: time with ${data.events.many} events : with ${data.events.few}`;
      return judgeMedian(name, calculateRatios(few, many), { most: MAX_RATIO });
    });
    return { suite: "licence/events", verdicts, faults };
  } finally {
    for (const server of servers) await server.stop();
  }
};
