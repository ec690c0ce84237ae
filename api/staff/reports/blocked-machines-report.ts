import { ownerColumns } from "./owner.ts";
import { dateColumn, type ReportSource } from "./report.ts";

/** Machine names that were blocked in the range and are blocked still, and on which licences. */
export const blockedMachinesReport: ReportSource = {
  fileName: "Blocked-Machines",
  sheetName: "Blocked Machines",
  table: "blocked_machines b",
  at: "b.blocked_at",
  id: "b.id",
  joins: "join users u on u.id = b.user_id",
  columns: () => [
    dateColumn("Date Blocked", "b.blocked_at"),
    { title: "Machine Name", kind: "text", sql: "b.machine_name", width: 40 },
    {
      title: "Support Codes of Licences",
      kind: "text",
      sql: `(select left(string_agg(l.support_code, ', ' order by l.created_at desc, l.id), 32767) from licences l
        where l.user_id = b.user_id and l.revoked_at is null)`,
      isOurs: true,
      width: 40,
    },
    ...ownerColumns,
  ],
};
