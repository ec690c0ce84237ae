import { ResultCode } from "#schema/catalogue.ts";
import { askedColumn, machineColumns, versionColumns } from "./event-columns.ts";
import { licenceOfEvent as licence } from "./licence-of-event.ts";
import { dateColumn, type ReportSource } from "./report.ts";

/** What blocked machines asked in the range, each time it was refused because they are blocked. */
export const blockedAttemptsReport: ReportSource = {
  fileName: "Blocked-Machines-Attempted-Activations",
  sheetName: "Blocked Machine Attempts",
  table: "licence_events e",
  at: "e.at",
  id: "e.id",
  // As the index `licence_events_blocked` says it.
  where: `e.result_code = ${ResultCode.MACHINE_BLOCKED}`,
  joins: licence.join,
  columns: () => [dateColumn("Date", "e.at"), ...machineColumns, askedColumn, ...versionColumns, ...licence.columns],
};
