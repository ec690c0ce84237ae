import type pg from "pg";
import { buildPeriodReport } from "#api/staff/reports/period-report.ts";
import { buildCsvStatement } from "#api/staff/reports/stream-report.ts";
import { isInstalled } from "#bench/load/load.ts";
import { buildRowId, shuffle } from "#bench/population.ts";
import { readResidentMegabytes } from "#bench/processor-time.ts";
import { judgeMedian, type Verdict } from "#bench/report.ts";
import { calculateSpread } from "#bench/rounds.ts";
import { type BenchServer, startProduct } from "#bench/servers.ts";
import type { Bench, Suite } from "#bench/suite.ts";
import { getAuthorization } from "#bench/timeline.ts";
import { copyByPsql, download, type Download } from "./download.ts";

/** Number of rows in the measured workbook at full scale. */
const WORKBOOK_ROWS = 1_000_000;
/** Minimum number of rows for checking the limits. With fewer rows, a process has hardly warmed up. */
const JUDGED_ROWS = 500_000;

const everything = "2000-01-01";

/** Compares the CSV of all validations with psql's COPY of the same rows. */
export const compareCsv: Suite = (bench) =>
  withAdmin(bench, async ({ server, client, database, authorization }) => {
    const { options, environment, print } = bench;
    const faults: string[] = [];
    const rows = await countRows(client, everything);
    const statement = buildCsvStatement(
      buildPeriodReport({ clock: { now: () => new Date() } } as never, {
        reportType: 6,
        startDate: new Date(everything),
        endDate: new Date("2099-12-31"),
      }),
    );
    const hasPsql = isInstalled("psql");
    const idleMegabytes = readResidentMegabytes(server.pid);
    const downloads: Download[] = [];
    const copies: { bytes: number; seconds: number }[] = [];
    const bare: { bytes: number; seconds: number }[] = [];
    for (let round = 0; round <= options.rounds; round++) {
      const contenders = [
        async () =>
          downloads.push(
            await download(server, { authorization: await authorization(), format: "csv", startDate: everything }),
          ),
        ...(hasPsql
          ? [
              async () => copies.push(await copyByPsql(environment, database, statement)),
              async () => bare.push(await copyByPsql(environment, database, "select * from licence_events")),
            ]
          : []),
      ];
      for (const contend of shuffle(contenders)) await contend();
      if (round === 0) for (const list of [downloads, copies, bare]) list.pop();
      print(round === 0 ? "warmed up" : `round ${round} of ${options.rounds}`);
    }
    const [mine, theirs] = [downloads[0]?.bytes ?? 0, copies[0]?.bytes ?? 0];
    // The product's CSV is longer because it includes the column titles.
    if (hasPsql && !(mine > theirs && mine - theirs < 1_000))
      faults.push(`report/csv: the product returned ${mine} bytes, psql copied ${theirs}.`);
    print(
      `${rows} rows, ${Math.round(rows / calculateSpread(downloads.map(({ seconds }) => seconds)).median)} a second`,
    );
    const ratio = (reference: readonly { seconds: number }[]) =>
      calculateSpread(downloads.map(({ seconds }, round) => (reference[round]?.seconds ?? Number.NaN) / seconds));
    const verdicts = getMemoryAndFirstByte(downloads, idleMegabytes, { most: 150, goal: "110", rows });
    if (hasPsql) {
      verdicts.unshift(
        judgeMedian("R1 rows a second : psql COPY of the same rows", ratio(copies), { least: 0.5 }, { goal: "0.9" }),
        judgeMedian("rows a second : psql COPY of the bare table", ratio(bare), { least: 0.5 }, { isChecked: false }),
      );
    }
    return { suite: "report/csv", verdicts, faults };
  });

/** Measures a workbook with a million rows. */
export const compareWorkbook: Suite = (bench) =>
  withAdmin(bench, async ({ server, client, authorization }) => {
    const { options, print } = bench;
    const { rows: found } = await client.query<{ day: string }>(
      `select coalesce((select (at + interval '1 day')::date from licence_events order by at desc offset ${WORKBOOK_ROWS} limit 1),
         date '${everything}')::text as day`,
    );
    const startDate = found[0]?.day ?? everything;
    const rows = await countRows(client, startDate);
    const idleMegabytes = readResidentMegabytes(server.pid);
    const downloads: Download[] = [];
    for (let round = 0; round <= options.rounds; round++) {
      const one = await download(server, { authorization: await authorization(), format: "xlsx", startDate });
      if (round > 0) downloads.push(one);
      print(`${rows} rows in ${one.seconds.toFixed(1)} s`);
    }
    const rate = calculateSpread(downloads.map(({ seconds }) => rows / seconds));
    const isChecked = rows >= JUDGED_ROWS;
    const verdicts: Verdict[] = [
      judgeMedian("R1x rows a second", rate, { least: 40_000 }, { goal: "100,000", isChecked }),
      ...getMemoryAndFirstByte(downloads, idleMegabytes, { most: 200, goal: "", rows }),
    ];
    return { suite: "report/xlsx", verdicts, faults: [] };
  });

function getMemoryAndFirstByte(
  downloads: readonly Download[],
  idleMegabytes: number,
  { most, goal, rows }: { most: number; goal: string; rows: number },
): Verdict[] {
  const first = calculateSpread(downloads.map(({ firstByteMs }) => firstByteMs));
  const peak = Math.max(...downloads.map(({ peakMegabytes }) => peakMegabytes));
  const isChecked = rows >= JUDGED_ROWS;
  return [
    judgeMedian("first byte", first, { most: 100 }, { unit: " ms", isChecked }),
    {
      name: "memory above idle",
      value: peak - idleMegabytes,
      limit: { most },
      unit: " MB",
      goal,
      isChecked: isChecked && !Number.isNaN(peak),
    },
  ];
}

async function countRows(client: pg.Client, since: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    "select count(*)::int as count from licence_events where kind = 'validate' and at >= $1::timestamptz",
    [`${since}T00:00:00Z`],
  );
  return rows[0]?.count ?? 0;
}

/** A running server with a sign-in as an admin: the seeded owner of the timelines, who is an admin during the suite. */
export interface AdminSetup {
  readonly server: BenchServer;
  readonly client: pg.Client;
  readonly database: string;
  readonly authorization: () => Promise<string>;
}

/** Runs `work` with a server on which the owner of the timelines is an admin. */
export async function withAdmin<Result>(
  { environment, data }: Bench,
  work: (staffed: AdminSetup) => Promise<Result>,
): Promise<Result> {
  const database = await data.getDatabase("many");
  const client = await environment.connect(database);
  const setMemberType = (memberType: number) =>
    client.query("update users set member_type = $1 where id = $2", [memberType, buildRowId("user", 1)]);
  await setMemberType(3);
  // Don't limit the heap, because garbage collection of a nearly full heap would distort the measurement of peak memory.
  const server = await startProduct(environment, database, { rateLimits: "off", heap: "as npm start" });
  try {
    return await work({ server, client, database, authorization: () => getAuthorization(server) });
  } finally {
    await server.stop();
    await setMemberType(1);
    await client.end();
  }
}
