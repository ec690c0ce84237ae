import { XMLParser } from "fast-xml-parser";

/** A relationship of a plan, seen from its successor. */
export interface PlanLink {
  readonly from: string;
  readonly type: "FF" | "FS" | "SF" | "SS";
  /** Hours, or a percentage of the predecessor's duration. */
  readonly lag: number;
  readonly isPercentage: boolean;
}

/** A task of a plan. Times are local, such as `2027-03-01T07:00:00`. */
export interface PlanTask {
  readonly code: string;
  readonly name: string;
  readonly level: number;
  readonly isSummary: boolean;
  readonly isMilestone: boolean;
  readonly isElapsed: boolean;
  readonly isCritical: boolean;
  readonly hours: number;
  readonly slackHours: number;
  readonly start: string;
  readonly finish: string;
  readonly calendar: string;
  readonly location: string;
  readonly constraint: { readonly name: string; readonly date: string } | null;
  readonly deadline: string | null;
  readonly links: readonly PlanLink[];
  readonly resource: string | null;
  readonly cost: number;
}

export interface Plan {
  readonly title: string;
  readonly tasks: readonly PlanTask[];
}

const linkTypes = ["FF", "FS", "SF", "SS"] as const;

/** The planning program's names of its constraint types. */
const constraintNames: Readonly<Record<string, string>> = {
  "2": "Must Start On",
  "3": "Must Finish On",
  "4": "Start No Earlier Than",
  "5": "Start No Later Than",
  "6": "Finish No Earlier Than",
  "7": "Finish No Later Than",
};

/** `LagFormat` of a lag in percent, and `DurationFormat` of elapsed days. */
const PERCENT = "19";
const ELAPSED_DAYS = "8";

const ACTIVITY_ID = "188743731";
const LOCATION = "188743734";

type Fields = Readonly<Record<string, unknown>>;

/** Reads a plan in the planning program's XML format: tasks with relationships, constraints, calendars and costs. */
export function readPlan(xml: string): Plan {
  const { Project: project } = new XMLParser({ parseTagValue: false }).parse(xml) as { Project: Fields };
  const calendars = new Map(list(project, "Calendars", "Calendar").map((one) => [text(one, "UID"), text(one, "Name")]));
  const resources = new Map(list(project, "Resources", "Resource").map((one) => [text(one, "UID"), text(one, "Name")]));
  const assignments = list(project, "Assignments", "Assignment");
  const tasks = list(project, "Tasks", "Task");
  const codes = new Map(tasks.map((task) => [text(task, "UID"), findCode(task)]));
  return {
    title: text(project, "Title"),
    tasks: tasks.map((task) => {
      const uid = text(task, "UID");
      const assigned = assignments.filter((one) => text(one, "TaskUID") === uid);
      const constraint = constraintNames[text(task, "ConstraintType")];
      const isElapsed = text(task, "DurationFormat") === ELAPSED_DAYS;
      const calendar = text(task, "CalendarUID");
      return {
        code: findCode(task),
        name: text(task, "Name"),
        level: Number(text(task, "OutlineLevel")),
        isSummary: text(task, "Summary") === "1",
        isMilestone: text(task, "Milestone") === "1",
        isElapsed,
        isCritical: text(task, "Critical") === "1",
        hours: readHours(text(task, "Duration")),
        slackHours: Number(text(task, "TotalSlack") || 0) / 600,
        start: text(task, "Start"),
        finish: text(task, "Finish"),
        calendar: calendars.get(calendar === "-1" ? text(project, "CalendarUID") : calendar) ?? "",
        location: findField(task, LOCATION),
        constraint: constraint ? { name: constraint, date: text(task, "ConstraintDate") } : null,
        deadline: text(task, "Deadline") || null,
        links: toList(task.PredecessorLink).map((link) => readLink(link, codes)),
        resource: assigned.map((one) => resources.get(text(one, "ResourceUID")) ?? "").join(", ") || null,
        cost: assigned.reduce((sum, one) => sum + Number(text(one, "Cost")), 0),
      };
    }),
  };
}

function readLink(link: Fields, codes: ReadonlyMap<string, string>): PlanLink {
  const isPercentage = text(link, "LagFormat") === PERCENT;
  const lag = Number(text(link, "LinkLag"));
  return {
    from: codes.get(text(link, "PredecessorUID")) ?? "",
    type: linkTypes[Number(text(link, "Type"))] ?? "FS",
    // Lags are in tenths of a minute.
    lag: isPercentage ? lag : lag / 600,
    isPercentage,
  };
}

const toList = (value: unknown): readonly Fields[] =>
  value === undefined || value === "" ? [] : ((Array.isArray(value) ? value : [value]) as readonly Fields[]);

const list = (from: Fields, group: string, one: string) => toList((from[group] as Fields | undefined)?.[one]);

function text(from: Fields, name: string): string {
  const value = from[name];
  return typeof value === "string" ? value : "";
}

const findField = (task: Fields, id: string) =>
  text(toList(task.ExtendedAttribute).find((one) => text(one, "FieldID") === id) ?? {}, "Value");

/** Returns the activity ID, or the name of a summary task, which has none. */
const findCode = (task: Fields) => findField(task, ACTIVITY_ID) || text(task, "Name");

const readHours = (duration: string) => Number(/^PT(\d+)H/.exec(duration)?.[1] ?? 0);
