import { startDueReports } from "#api/staff/saved-reports/start-due-reports.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { runUntilDone } from "#api/platform/due-work.ts";
import { mailsTo } from "#tests/support/mailbox.ts";
import type { GraphqlAnswer, TestApp } from "#tests/support/test-app.ts";
import { storedKeys } from "./software.ts";

/** A Wednesday: what is weekly has been due on the Monday before and will be on the next. */
export const WEDNESDAY = new Date("2026-11-25T10:00:00Z");

/** The Monday after it, just past midnight in Brisbane. */
export const MONDAY = "2026-11-29T14:01:00Z";

/** A report of the users of the last 7 days, every Monday. */
export const weekly = { name: "New users", reportType: 1, period: "LAST_7_DAYS", format: "csv", schedule: "WEEKLY" };

const fields =
  "id name reportType period format schedule nextRunAt startDate endDate lastRunAt lastRunState lastFailure";

/** The ways to saved reports, through the front door. */
export function savedReportsOf(app: TestApp) {
  const at = (moment: string | Date) => app.clock.setOffset(new Date(moment).getTime() - Date.now());
  return {
    at,
    save: (token: string, changes: object = {}): Promise<GraphqlAnswer> =>
      app.graphql(
        `mutation ($input: SavedReportInput!) { saveReport(input: $input) { ${fields} } }`,
        { input: { ...weekly, ...changes } },
        token,
      ),
    update: (token: string, id: string, changes: object): Promise<GraphqlAnswer> =>
      app.graphql(
        `mutation ($id: ID!, $input: SavedReportInput!) { updateSavedReport(id: $id, input: $input) { ${fields} } }`,
        { id, input: { ...weekly, ...changes } },
        token,
      ),
    remove: (token: string, id: string): Promise<GraphqlAnswer> =>
      app.graphql("mutation ($id: ID!) { deleteSavedReport(id: $id) }", { id }, token),
    // oxlint-disable-next-line typescript/no-explicit-any -- as in GraphqlAnswer
    list: async (token: string): Promise<any> =>
      (await app.graphql(`{ savedReports { ${fields} } }`, {}, token)).data.savedReports,
    /** Moves the clock there and does what has come due. */
    come: async (moment: string | Date) => {
      at(moment);
      await runUntilDone(app.services, startDueReports);
      await app.services.jobs.drain();
    },
    /** The secret of the newest link that was mailed to somebody. */
    secretOf: async (user: User) => {
      const [mail] = await mailsTo(app, user.email);
      return /\/admin\/report-file\/\?t=([\w-]+)/.exec(mail?.text ?? "")?.[1] ?? "";
    },
    fetchFile: (token: string, secret: string) =>
      app.rest("POST", "/v1/reports/download-file", { body: { token: secret }, token }),
    /** Forgets every saved report and its files, and gives the clock back. */
    clear: async () => {
      await app.services.pool.query("delete from saved_reports");
      for (const key of await storedKeys(app.services.files, "reports")) await app.services.files.delete(key);
      app.clock.setOffset(0);
    },
  };
}
