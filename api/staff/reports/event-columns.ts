import { messageOfResultCode, ResultCode, type ResultCodeName } from "#schema/catalogue.ts";
import { answerInWords, askedInWords, licenceEventKinds } from "#schema/licence-history.ts";
import { inWords, type ReportColumn } from "./report.ts";

const codes = Object.entries(ResultCode) as [ResultCodeName, number][];

/** What was asked by an event `e` of `licence_events`, in words. */
export const askedColumn: ReportColumn = {
  title: "Event",
  kind: "text",
  sql: inWords(
    "e.kind",
    licenceEventKinds.map((kind) => [kind, askedInWords(kind)]),
  ),
  isOurs: true,
  width: 32,
};

/** What was answered to an event `e`: the code, its name and its words. */
export const answerColumns: readonly ReportColumn[] = [
  { title: "Result Code", kind: "number", sql: "e.result_code", width: 12 },
  {
    title: "Result",
    kind: "text",
    sql: inWords(
      "e.result_code",
      codes.map(([name, code]) => [code, name]),
    ),
    isOurs: true,
    width: 28,
  },
  {
    title: "Answer",
    kind: "text",
    sql: `case when e.result_code = ${ResultCode.VALID}
      then ${inWords(
        "e.kind",
        licenceEventKinds.map((kind) => [kind, answerInWords(kind, "VALID")]),
      )}
      else ${inWords(
        "e.result_code",
        codes.map(([name, code]) => [code, messageOfResultCode[name]]),
      )} end`,
    isOurs: true,
    width: 60,
  },
];

/** From which machine an event `e` came. */
export const machineColumns: readonly ReportColumn[] = [
  { title: "Machine Name", kind: "text", sql: "e.machine_name", width: 30 },
  { title: "Windows User", kind: "text", sql: "e.os_user", width: 24 },
];

/** With which versions, and from where, an event `e` came. */
export const versionColumns: readonly ReportColumn[] = [
  { title: "Add-In Version", kind: "text", sql: "e.add_in_version" },
  { title: "Host Version", kind: "text", sql: "e.host_version" },
  { title: "IP Address", kind: "text", sql: "e.ip" },
];
