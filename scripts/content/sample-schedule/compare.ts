import { formatDay } from "#schema/dates.ts";
import { formatNumber } from "#schema/numbers.ts";
import type { Plan, PlanLink, PlanTask } from "./read-plan.ts";
import type { Activity, ActivityLink, Schedule } from "./read-schedule.ts";

/** A value of an activity in the plan and in the XER file. */
export interface Comparison {
  readonly what: string;
  readonly before: string;
  readonly after: string;
  /** False if the value changed or was not converted. */
  readonly isSame: boolean;
}

/** A line of the conversion log. */
export interface LogEntry {
  readonly kind: "error" | "warning" | "note";
  readonly code: string;
  readonly text: string;
}

/** Compares a task with the activity it became, value by value. Leaves out values that neither has. */
export function compareTask(task: PlanTask, activity: Activity): readonly Comparison[] {
  const compare = (what: string, before: string, after: string, isSame = true): Comparison => ({
    what,
    before: before || "None",
    after: after || "None",
    isSame,
  });
  const days = formatDays(activity.hours, activity.hoursPerDay);
  const rows = [
    compare("Type", task.isMilestone ? "Milestone" : "Task", activityTypes[activity.type] ?? activity.type),
    compare(
      "Duration",
      describeDuration(task),
      task.isElapsed ? `${formatHours(activity.hours)}` : days,
      !task.isElapsed,
    ),
    compare("Calendar", task.calendar, activity.calendar, task.calendar === activity.calendar),
    compare("Start", formatMoment(task.start), formatMoment(activity.start), isSameMoment(task.start, activity.start)),
    compare(
      "Finish",
      formatMoment(task.finish),
      formatMoment(activity.finish),
      isSameMoment(task.finish, activity.finish),
    ),
    compare(
      "Total float",
      formatHours(task.slackHours),
      formatHours(activity.floatHours),
      task.slackHours === activity.floatHours,
    ),
    ...task.links.map((link) => {
      const own = activity.links.find(({ from }) => from === link.from);
      return compare(
        "Predecessor",
        describeLink(link),
        own ? describeLink(own) : "",
        own !== undefined && !link.isPercentage,
      );
    }),
    compare("Constraint", describeConstraint(task.constraint), describeConstraint(activity.constraint)),
    compare("Deadline", task.deadline ? formatMoment(task.deadline) : "", "", task.deadline === null),
    compare("Location", task.location, activity.location, task.location === activity.location),
    compare("Resource", task.resource ?? "", activity.resource ?? "", task.resource === activity.resource),
    compare("Cost", formatCost(task.cost), formatCost(activity.cost), task.cost === activity.cost),
  ];
  return rows.filter(({ before, after }) => before !== "None" || after !== "None");
}

/** Writes the log of a conversion: errors first, then warnings, then information. */
export function writeLog(plan: Plan, schedule: Schedule): readonly LogEntry[] {
  const tasks = plan.tasks.filter(({ isSummary }) => !isSummary);
  const summaries = new Set(plan.tasks.filter(({ isSummary }) => isSummary).map(({ code }) => code));
  const find = (code: string) => schedule.activities.find((one) => one.code === code);
  const links = schedule.activities.flatMap((one) => one.links);
  const errors = plan.tasks.flatMap(({ isSummary, code, links: own }) =>
    own
      .filter(({ from }) => isSummary || summaries.has(from))
      .map(({ from }) =>
        entry(
          "error",
          code,
          `The relationship from ${from} was not converted. XER has no relationships of summary tasks.`,
        ),
      ),
  );
  const warnings = tasks.flatMap((task) => {
    const activity = find(task.code);
    return [
      ...task.links
        .filter(({ isPercentage }) => isPercentage)
        .map(({ from, lag }) =>
          entry(
            "warning",
            task.code,
            `The lag of ${lag} % after ${from} became ${formatHours(activity?.links.find((one) => one.from === from)?.lagHours ?? 0)}.`,
          ),
        ),
      ...(task.isElapsed && activity
        ? [
            entry(
              "warning",
              task.code,
              `${describeDuration(task)} became ${formatHours(activity.hours)} on the calendar ${activity.calendar}.`,
            ),
          ]
        : []),
      ...(task.deadline
        ? [
            entry(
              "warning",
              task.code,
              `The deadline of ${formatMoment(task.deadline)} was not converted. XER has no deadlines.`,
            ),
          ]
        : []),
    ];
  });
  const constraints = tasks.flatMap(({ code, constraint }) =>
    constraint ? [entry("note", code, `${constraint.name} became ${find(code)?.constraint?.name ?? "nothing"}.`)] : [],
  );
  const exceptions = schedule.calendars.reduce((sum, one) => sum + one.exceptions, 0);
  const assigned = schedule.activities.filter(({ resource }) => resource);
  return [
    ...errors,
    ...warnings,
    ...constraints,
    entry("note", "TASK", `${schedule.activities.length} of ${tasks.length} activities were converted.`),
    entry("note", "TASKPRED", `${links.length} relationships were converted.`),
    entry("note", "PROJWBS", `${summaries.size} summary tasks became the work breakdown structure.`),
    entry("note", "CALENDAR", `${schedule.calendars.length} calendars with ${exceptions} exceptions were converted.`),
    entry(
      "note",
      "UDFVALUE",
      `The field Location was mapped for ${schedule.activities.filter(({ location }) => location).length} activities.`,
    ),
    entry(
      "note",
      "TASKRSRC",
      `${assigned.length} resource assignments with a cost of ${formatCost(assigned.reduce((sum, { cost }) => sum + cost, 0))} were converted.`,
    ),
  ];
}

const entry = (kind: LogEntry["kind"], code: string, text: string): LogEntry => ({ kind, code, text });

/** Names of XER's activity types. */
export const activityTypes: Readonly<Record<string, string>> = {
  TT_Task: "Task dependent",
  TT_Mile: "Start milestone",
  TT_FinMile: "Finish milestone",
};

const isSameMoment = (one: string, other: string) => one.slice(0, 16) === other.replace(" ", "T");

/** Formats a local time as `1 Mar 2027, 07:00`. */
export const formatMoment = (moment: string) => `${formatDay(moment.slice(0, 10))}, ${moment.slice(11, 16)}`;

const formatHours = (hours: number) => `${formatNumber(hours, 1)}\u00a0h`;

function formatDays(hours: number, hoursPerDay: number): string {
  const days = formatNumber(hours / hoursPerDay, 1);
  return `${days} ${days === "1" ? "day" : "days"}`;
}

/** Formats a task's duration as the plan shows it. */
export function describeDuration({ hours, isElapsed }: PlanTask): string {
  return isElapsed ? formatDays(hours, 24).replace(" ", " elapsed ") : formatDays(hours, 8);
}

/** Formats a relationship, such as `A1010 SS + 24 h`. */
export function describeLink(link: PlanLink | ActivityLink): string {
  const isPercentage = "isPercentage" in link && link.isPercentage;
  const lag = "lag" in link ? link.lag : link.lagHours;
  const amount = isPercentage ? `${Math.abs(lag)} %` : formatHours(Math.abs(lag));
  return `${link.from} ${link.type}${lag === 0 ? "" : ` ${lag < 0 ? "−" : "+"} ${amount}`}`;
}

const describeConstraint = (constraint: PlanTask["constraint"]) =>
  constraint ? `${constraint.name}, ${formatMoment(constraint.date)}` : "";

const formatCost = (cost: number) => (cost === 0 ? "" : `A$${formatNumber(cost)}`);
