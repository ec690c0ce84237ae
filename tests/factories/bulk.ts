import { BulkRow, BulkRun } from "#api/staff/bulk/bulk-run.entity.ts";
import type { TestApp } from "#tests/support/test-app.ts";

/** Builds a CSV file of `count` users with different emails and all required columns. */
export function buildUsersCsv(count: number, prefix = "import"): string {
  const lines = ["First Name,Last Name,Email,Phone,User type,Street number,Street name,City,State,Post Code,Country"];
  for (let at = 1; at <= count; at++)
    lines.push(
      `Ada${toLetter(at)},Byron,${prefix}-${at}@import.example,+61 400 000 000,Regular,12,Eagle Street,Brisbane,QLD,4000,Australia`,
    );
  return `${lines.join("\n")}\n`;
}

const toLetter = (at: number) => String.fromCharCode(97 + (at % 26));

/** Uploads a file as the portal does. */
export const upload = (
  test: TestApp,
  token: string,
  query: string,
  body: string | Uint8Array,
  contentType = "text/csv",
) => test.rest("POST", `/v1/admin/bulk-runs?${query}`, { body, token, headers: { "content-type": contentType } });

/** Uploads a file and returns the run after its check. */
export async function checkFile(
  test: TestApp,
  token: string,
  query: string,
  body: string | Uint8Array,
): Promise<BulkRun> {
  const answer = await upload(test, token, query, body);
  if (answer.status !== 202) throw new Error(`the file was rejected: ${answer.text}`);
  await test.services.jobs.drain();
  return loadRun(test, answer.json as string);
}

export const loadRun = (test: TestApp, id: string): Promise<BulkRun> =>
  test.services.orm.em.fork().findOneOrFail(BulkRun, id) as Promise<BulkRun>;

/** Loads the rows of a run in order. */
export const loadRows = (test: TestApp, runId: string): Promise<BulkRow[]> =>
  test.services.orm.em.fork().find(BulkRow, { runId }, { orderBy: { rowNumber: "asc" } }) as Promise<BulkRow[]>;

/** Formats the faults of each row, such as `3 Email: Has an account already.` */
export const formatFaults = (rows: readonly BulkRow[]): string[] =>
  rows.flatMap(({ rowNumber, faults }) => faults.map(({ column, message }) => `${rowNumber} ${column}: ${message}`));

/** Starts a checked run and returns it after it has finished. */
export async function processRun(test: TestApp, token: string, id: string, confirmation?: string): Promise<BulkRun> {
  await test.call("startBulkRun { id state }", { id, confirmation: confirmation ?? null }, token);
  await test.services.jobs.drain();
  return loadRun(test, id);
}
