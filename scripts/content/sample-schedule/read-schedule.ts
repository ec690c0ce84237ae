/** A row of an XER table by field name. */
type XerRow = Readonly<Record<string, string>>;

/**
 * Reads the tables of an XER file by name.
 * @throws {Error} if the file has no header or no end, or a row has the wrong number of fields
 */
export function readXer(text: string): ReadonlyMap<string, readonly XerRow[]> {
  const lines = text.split(/\r?\n/).filter(Boolean);
  if (!lines[0]?.startsWith("ERMHDR\t")) throw new Error("The XER file has no header.");
  if (lines.at(-1) !== "%E") throw new Error("The XER file has no end.");
  const tables = new Map<string, XerRow[]>();
  let rows: XerRow[] = [];
  let fields: readonly string[] = [];
  for (const line of lines.slice(1, -1)) {
    const [mark = "", ...values] = line.split("\t");
    if (mark === "%T") {
      rows = [];
      tables.set(values[0] ?? "", rows);
    } else if (mark === "%F") fields = values;
    else if (mark === "%R" && values.length === fields.length)
      rows.push(Object.fromEntries(fields.map((field, index) => [field, values[index] ?? ""])));
    else throw new Error(`The XER file has an invalid line: ${line.slice(0, 80)}`);
  }
  return tables;
}

/** A relationship of an XER schedule, seen from its successor. */
export interface ActivityLink {
  readonly from: string;
  readonly type: string;
  readonly lagHours: number;
}

/** An activity of an XER schedule. Times are local, such as `2027-03-01 07:00`. */
export interface Activity {
  readonly code: string;
  readonly name: string;
  readonly wbs: string;
  readonly type: string;
  readonly hours: number;
  readonly floatHours: number;
  readonly hoursPerDay: number;
  readonly start: string;
  readonly finish: string;
  readonly calendar: string;
  readonly location: string;
  readonly constraint: { readonly name: string; readonly date: string; readonly isHard: boolean } | null;
  readonly links: readonly ActivityLink[];
  readonly resource: string | null;
  readonly cost: number;
  readonly isStarted: boolean;
}

export interface Schedule {
  readonly name: string;
  /** Moment up to which progress is known. */
  readonly dataDate: string;
  readonly activities: readonly Activity[];
  readonly calendars: readonly { readonly name: string; readonly exceptions: number }[];
  readonly tables: readonly { readonly name: string; readonly rows: number }[];
}

/** Names of constraint types, and whether they override the logic. */
const constraints: Readonly<Record<string, readonly [name: string, isHard: boolean]>> = {
  CS_MANDSTART: ["Mandatory Start", true],
  CS_MANDFIN: ["Mandatory Finish", true],
  CS_MSO: ["Start On", true],
  CS_MEO: ["Finish On", true],
  CS_MSOA: ["Start On or After", false],
  CS_MSOB: ["Start On or Before", false],
  CS_MEOA: ["Finish On or After", false],
  CS_MEOB: ["Finish On or Before", false],
};

/** Reads an XER file as a schedule, as a reviewer's program sees it. */
export function readSchedule(text: string): Schedule {
  const tables = readXer(text);
  const rows = (name: string) => tables.get(name) ?? [];
  const by = (name: string, key: string) => new Map(rows(name).map((row) => [row[key] ?? "", row]));
  const wbs = by("PROJWBS", "wbs_id");
  const calendars = by("CALENDAR", "clndr_id");
  const resources = by("RSRC", "rsrc_id");
  const codes = new Map(rows("TASK").map((row) => [row.task_id ?? "", row.task_code ?? ""]));
  const toActivity = (row: XerRow): Activity => {
    const calendar = calendars.get(row.clndr_id ?? "");
    const assigned = rows("TASKRSRC").filter((one) => one.task_id === row.task_id);
    const [name = "", isHard = false] = constraints[row.cstr_type ?? ""] ?? [];
    return {
      code: row.task_code ?? "",
      name: row.task_name ?? "",
      wbs: wbs.get(row.wbs_id ?? "")?.wbs_name ?? "",
      type: row.task_type ?? "",
      hours: Number(row.target_drtn_hr_cnt),
      floatHours: Number(row.total_float_hr_cnt),
      hoursPerDay: Number(calendar?.day_hr_cnt ?? 8),
      start: row.early_start_date ?? "",
      finish: row.early_end_date ?? "",
      calendar: calendar?.clndr_name ?? "",
      location: rows("UDFVALUE").find(({ fk_id }) => fk_id === row.task_id)?.udf_text ?? "",
      constraint: row.cstr_type ? { name, isHard, date: row.cstr_date ?? "" } : null,
      links: rows("TASKPRED")
        .filter((one) => one.task_id === row.task_id)
        .map((one) => ({
          from: codes.get(one.pred_task_id ?? "") ?? "",
          type: (one.pred_type ?? "").replace("PR_", ""),
          lagHours: Number(one.lag_hr_cnt),
        })),
      resource: assigned.map((one) => resources.get(one.rsrc_id ?? "")?.rsrc_name ?? "").join(", ") || null,
      cost: assigned.reduce((sum, one) => sum + Number(one.target_cost), 0),
      isStarted: row.status_code !== "TK_NotStart",
    };
  };
  return {
    name: rows("PROJECT")[0]?.proj_short_name ?? "",
    dataDate: rows("PROJECT")[0]?.last_recalc_date ?? "",
    activities: rows("TASK").map(toActivity),
    calendars: rows("CALENDAR").map(({ clndr_name = "", clndr_data = "" }) => ({
      name: clndr_name,
      exceptions: clndr_data.match(/\(d\|\d+\)/g)?.length ?? 0,
    })),
    tables: [...tables].map(([name, { length }]) => ({ name, rows: length })),
  };
}
