import type { StaffRole } from "#schema/staff-roles.ts";
import { startDueReports } from "#api/staff/saved-reports/start-due-reports.ts";
import { reportRoleChange } from "#api/staff/users/staff-roles.ts";
import { User } from "#api/people/users/user.entity.ts";
import { inTransaction } from "#api/platform/database/database.ts";
import { runSweep } from "#api/platform/jobs/sweeps.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import type { TestApp } from "#tests/support/test-app.ts";
import { listStoredKeys } from "./software.ts";

/** A Wednesday, between two Mondays on which weekly reports are due. */
export const WEDNESDAY = new Date("2026-11-25T10:00:00Z");

/** The Monday after {@link WEDNESDAY}, just past midnight in Brisbane. */
export const MONDAY = "2026-11-29T14:01:00Z";

/** Report on the users of the last 7 days, every Monday. */
export const weekly = {
  name: "New users",
  reportType: "USERS",
  period: "LAST_7_DAYS",
  format: "CSV",
  schedule: "WEEKLY",
};

const fields =
  "id name reportType period format schedule nextRunAt startDate endDate lastRunAt lastRunState lastFailure";

/** Returns functions that call the API for saved reports as the portal does, and set the app's clock. */
export function openSavedReports(app: TestApp) {
  const setTime = (moment: string | Date) => app.clock.setOffset(new Date(moment).getTime() - Date.now());
  return {
    setTime,
    save: (token: string, changes: object = {}) =>
      app.graphql(`saveReport { ${fields} }`, { input: { ...weekly, ...changes } }, token),
    update: (token: string, id: string, changes: object) =>
      app.graphql(`updateSavedReport { ${fields} }`, { id, input: { ...weekly, ...changes } }, token),
    remove: (token: string, id: string) => app.graphql("deleteSavedReport { id }", { id }, token),
    list: async (token: string) => (await app.graphql(`{ savedReports { ${fields} } }`, {}, token)).data.savedReports,
    /** Sets the clock and runs the reports that have become due. */
    runDueReports: async (moment: string | Date) => {
      setTime(moment);
      await runSweep(app.services, startDueReports);
      await app.services.jobs.drain();
    },
    /** Returns the secret of the report link in the newest email to a user, or an empty string. */
    secretOf: async (user: User) => {
      const [email] = await listEmailsTo(app, user.email);
      return /\/admin\/report-file\/\?t=([\w-]+)/.exec(email?.text ?? "")?.[1] ?? "";
    },
    fetchFile: (token: string, secret: string) =>
      app.rest("POST", "/v1/reports/download-file", { body: { token: secret }, token }),
    /** Gives an admin other roles than before. */
    changeRoles: ({ id }: User, roles: StaffRole[]) =>
      inTransaction(app.context(), async (em) => {
        const user = await em.findOneOrFail(User, id);
        const { memberType, staffRoles } = user;
        user.staffRoles = roles;
        await reportRoleChange(app.context(), em, user, { memberType, staffRoles });
      }),
    /** Deletes all saved reports and their files, and resets the clock. */
    clear: async () => {
      await app.services.pool.query("delete from saved_reports");
      for (const key of await listStoredKeys(app.services.files, "reports")) await app.services.files.delete(key);
      app.clock.setOffset(0);
    },
  };
}
