import { availableParallelism } from "node:os";
import process from "node:process";
import { compareList, compareNested } from "./admin/compare-admin.ts";
import { compareAmounts } from "./compare-amounts.ts";
import { compareContest } from "./compare-contest.ts";
import { heartbeat, validation } from "./contests.ts";
import { createData } from "./data.ts";
import { prepareHelloLoad, compareHello } from "./graphql/compare-hello.ts";
import { prepareEnvironment } from "./environment.ts";
import { findLoadGenerator, isInstalled } from "./load/load.ts";
import { missingPgbench } from "./load/pgbench.ts";
import { BenchError, type BenchOptions, readOptions } from "./options.ts";
import { prepareContestLoad, profileProduct } from "./profile.ts";
import { isMissed, type SuiteReport, formatVerdicts } from "./report.ts";
import { compareDuringReport } from "./reports/compare-during-report.ts";
import { compareCsv, compareWorkbook } from "./reports/compare-reports.ts";
import type { Bench, Suite } from "./suite.ts";

const suites: Readonly<Record<string, Suite>> = {
  "licence/validate": compareContest(validation),
  "licence/heartbeat": compareContest(heartbeat),
  "licence/events": compareAmounts,
  "graphql/hello": compareHello,
  "admin/nested": compareNested,
  "admin/list": compareList,
  "report/csv": compareCsv,
  "report/xlsx": compareWorkbook,
  "report/beside": compareDuringReport,
};

/** Requests to send while a suite is profiled. Suites that are not listed here use validations. */
const profiled: Readonly<Record<string, Parameters<typeof profileProduct>[1]>> = {
  "licence/heartbeat": prepareContestLoad(heartbeat),
  "graphql/hello": prepareHelloLoad,
};

/** Runs the suites of `npm run bench`. Returns 1 if a limit is missed or a response is wrong. */
async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2), Object.keys(suites));
  if (!isInstalled("pgbench")) throw new BenchError(missingPgbench);
  const chosen = Object.entries(suites).filter(
    ([name]) => options.suites.length === 0 || options.suites.includes(name),
  );
  const startedAt = performance.now();
  const print = (text: string) => {
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0).padStart(5);
    process.stdout.write(text.includes("\n") ? `\n${text}\n` : `${seconds} s  ${text}\n`);
  };
  const environment = await prepareEnvironment(options);
  const generator = findLoadGenerator();
  removeOnExit(() => environment.remove());
  const reports: SuiteReport[] = [];
  try {
    print(
      `${availableParallelism()} cores, data in ${environment.location}, load from ${generator.name}, scale ${options.scale}`,
    );
    const data = createData(environment, options.scale, print);
    const bench: Bench = { options, environment, data, generator, print };
    for (const [name, suite] of chosen) {
      process.stdout.write(`\n══ ${name} ${"═".repeat(70 - name.length)}\n`);
      if (options.profile) print(await profileProduct(bench, profiled[name] ?? prepareContestLoad(validation)));
      else reports.push(await suite(bench));
    }
  } finally {
    await environment.remove();
  }
  return conclude(reports, options);
}

function conclude(reports: readonly SuiteReport[], options: BenchOptions): number {
  for (const { suite, verdicts, faults } of reports) {
    process.stdout.write(`\n${suite}, ${options.rounds} rounds of ${options.seconds} s, scale ${options.scale}\n`);
    process.stdout.write(formatVerdicts(verdicts));
    for (const fault of faults) process.stdout.write(`  WRONG: ${fault}\n`);
  }
  const bad = reports.some(({ verdicts, faults }) => faults.length > 0 || verdicts.some(isMissed));
  return bad ? 1 : 0;
}

/** Removes the processes and data of the run when it is interrupted. */
function removeOnExit(remove: () => Promise<void>): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "disconnect"] as const)
    process.once(signal, () => void remove().finally(() => process.exit(130)));
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    const sentence = error instanceof BenchError ? error.message : ((error as Error).stack ?? String(error));
    process.stderr.write(`${sentence}\n`);
    process.exit(2);
  },
);
