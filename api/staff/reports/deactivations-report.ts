import { dateColumn, inWords, type ReportSource, yesOrNo } from "./report.ts";
import { licenceColumns } from "./licences-report.ts";
import { ownerColumns } from "./owner.ts";

/** Devices that gave their place back in the range: which, who freed them and why, and whether it counts. */
export const deactivationsReport: ReportSource = {
  fileName: "Licence-Deactivations",
  sheetName: "Licence Deactivations",
  table: "deactivations x",
  at: "x.at",
  id: "x.id",
  joins: `join devices d on d.id = x.device_id join licences l on l.id = d.licence_id join users u on u.id = x.user_id`,
  columns: () => [
    dateColumn("Date", "x.at"),
    { title: "Machine Name", kind: "text", sql: "d.machine_name", width: 30 },
    { title: "Windows User", kind: "text", sql: "d.os_user", width: 24 },
    {
      title: "Deactivated By",
      kind: "text",
      sql: inWords(`x."by"`, [
        ["customer", "Customer"],
        ["admin", "Admin"],
        ["system", "System"],
      ]),
      isOurs: true,
    },
    { title: "By Customer", kind: "text", sql: yesOrNo(`x."by" = 'customer'`), isOurs: true, width: 12 },
    { title: "Reason", kind: "text", sql: "x.reason", width: 48 },
    dateColumn("Activated", "d.activated_at"),
    dateColumn("Last Seen", "d.last_seen_at"),
    ...licenceColumns,
    ...ownerColumns,
    { title: "Annual Deactivation Limit", kind: "number", sql: "u.annual_deactivation_limit", width: 12 },
  ],
};
