import { BulkRow } from "#api/staff/bulk/bulk-row.entity.ts";
import { BulkRun } from "#api/staff/bulk/bulk-run.entity.ts";
import type { TestApp } from "#tests/support/test-app.ts";

/** A line for each user, after a header that has every required column; `count` different addresses. */
export function usersCsv(count: number, prefix = "import"): string {
  const lines = ["First Name,Last Name,Email,Phone,User type,Street number,Street name,City,State,Post Code,Country"];
  for (let at = 1; at <= count; at++)
    lines.push(
      `Ada${letters(at)},Byron,${prefix}-${at}@import.example,+61 400 000 000,Regular,12,Eagle Street,Brisbane,QLD,4000,Australia`,
    );
  return `${lines.join("\n")}\n`;
}

const letters = (at: number) => String.fromCharCode(97 + (at % 26));

/** Sends a file as the portal does. */
export function upload(
  test: TestApp,
  token: string,
  query: string,
  body: string | Uint8Array,
  contentType = "text/csv",
) {
  return test.rest("POST", `/v1/admin/bulk-runs?${query}`, { body, token, headers: { "content-type": contentType } });
}

/** Sends a file, and lets it be checked; the run as it is then. */
export async function checkedRun(
  test: TestApp,
  token: string,
  query: string,
  body: string | Uint8Array,
): Promise<BulkRun> {
  const answer = await upload(test, token, query, body);
  if (answer.status !== 202) throw new Error(`not taken: ${answer.text}`);
  await test.services.jobs.drain();
  return runOf(test, answer.json as string);
}

/** A run as it is now. */
export const runOf = (test: TestApp, id: string): Promise<BulkRun> =>
  test.services.orm.em.fork().findOneOrFail(BulkRun, id) as Promise<BulkRun>;

/** The rows of a run in their order. */
export const rowsOf = (test: TestApp, runId: string): Promise<BulkRow[]> =>
  test.services.orm.em.fork().find(BulkRow, { runId }, { orderBy: { rowNumber: "asc" } }) as Promise<BulkRow[]>;

/** What is wrong with each row, such as `3 Email: Has an account already.` */
export const faultsOf = (rows: readonly BulkRow[]): string[] =>
  rows.flatMap(({ rowNumber, faults }) => faults.map(({ column, message }) => `${rowNumber} ${column}: ${message}`));

/** Starts a checked run and lets it run to its end. */
export async function carriedOut(test: TestApp, token: string, id: string, confirmation?: string): Promise<BulkRun> {
  const answer = await test.graphql(
    "mutation ($id: ID!, $word: String) { startBulkRun(id: $id, confirmation: $word) { id state } }",
    { id, word: confirmation ?? null },
    token,
  );
  if (answer.errors) throw new Error(JSON.stringify(answer.errors));
  await test.services.jobs.drain();
  return runOf(test, id);
}
