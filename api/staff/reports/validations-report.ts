import { answerColumns, askedColumn, machineColumns, versionColumns } from "./event-columns.ts";
import { licenceOfEvent as licence } from "./licence-of-event.ts";
import { dateColumn, type ReportSource } from "./report.ts";

/**
 * What machines asked in the range to be activated, by whatever way, and to be told that they may run; refusals too, and
 * those of codes that nobody has. Identical successes within an hour are one row with their count, at the time of the first.
 */
export const validationsReport: ReportSource = {
  fileName: "Licence-Validations-and-Activations",
  sheetName: "Validations and Activations",
  table: "licence_events e",
  at: "e.at",
  id: "e.id",
  // As the index `licence_events_asked` says it.
  where: "e.kind in ('activate', 'validate', 'offline', 'move')",
  joins: licence.join,
  columns: () => [
    dateColumn("Date", "e.at"),
    dateColumn("Last Date", "e.last_at"),
    { title: "Count", kind: "number", sql: "e.count", width: 8 },
    askedColumn,
    ...answerColumns,
    ...machineColumns,
    ...versionColumns,
    ...licence.columns,
  ],
};
