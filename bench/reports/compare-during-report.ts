import { setTimeout as sleep } from "node:timers/promises";
import { validation } from "#bench/contests.ts";
import { writeRequests } from "#bench/data.ts";
import { formatContenders, judgeMedian } from "#bench/report.ts";
import { type Contender, runRounds, calculateSpread } from "#bench/rounds.ts";
import type { BenchServer } from "#bench/servers.ts";
import type { Suite } from "#bench/suite.ts";
import { signInOwner } from "#bench/timeline.ts";
import { withAdmin } from "./compare-reports.ts";
import { download } from "./download.ts";

const SIGN_INS_A_SECOND = 5;

/** Compares the speed of validations alone with their speed during a report download and sign-ins. */
export const compareDuringReport: Suite = (bench) =>
  withAdmin(bench, async ({ server, client, authorization }) => {
    const { generator, options, environment, data, print } = bench;
    const { file } = await writeRequests(environment, client, validation, data.population);
    const load = { port: server.port, path: validation.path, file, connections: options.connections };
    const faults: string[] = [];
    const createContender = (name: string, run: Contender["run"]): Contender => ({
      name,
      pid: server.pid,
      database: client,
      run,
    });
    const samples = await runRounds(
      [
        createContender("alone", (seconds) => generator.send(load, seconds)),
        createContender("with a report and sign-ins", async (seconds) => {
          const stop = new AbortController();
          const others = [
            downloadRepeatedly(server, await authorization(), stop.signal),
            signInRepeatedly(server, stop.signal),
          ];
          const result = await generator.send(load, seconds);
          stop.abort();
          for (const { status, reason } of (await Promise.allSettled(others)) as PromiseRejectedResult[])
            if (status === "rejected") faults.push(`report/beside: ${String(reason)}`);
          return result;
        }),
      ],
      options,
      print,
    );
    print(formatContenders(samples));
    const [alone = [], loaded = []] = ["alone", "with a report and sign-ins"].map((name) => samples.get(name));
    const spread = calculateSpread(loaded.map(({ p99Ms }, round) => p99Ms / (alone[round]?.p99Ms ?? Number.NaN)));
    const name = "R2 p99 of a validation during a report and 5 sign-ins a second : alone";
    return {
      suite: "report/beside",
      verdicts: [judgeMedian(name, spread, { most: 5 }, { goal: "3" })],
      faults: [...new Set(faults)],
    };
  });

async function downloadRepeatedly(server: BenchServer, authorization: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted)
    await download(server, { authorization, format: "csv", startDate: "2000-01-01" }, signal).catch(
      (error: unknown) => {
        if (!signal.aborted) throw error;
      },
    );
}

async function signInRepeatedly(server: BenchServer, signal: AbortSignal): Promise<void> {
  const all: Promise<string>[] = [];
  while (!signal.aborted) {
    all.push(signInOwner(server));
    await sleep(1_000 / SIGN_INS_A_SECOND);
  }
  await Promise.all(all);
}
