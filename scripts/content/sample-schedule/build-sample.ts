/** Derives everything the site shows about the sample conversion from its two files. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { formatDayAndMonth } from "#schema/dates.ts";
import { checkHealth } from "./check-health.ts";
import { compareTask, describeDuration, describeLink, formatMoment, writeLog } from "./compare.ts";
import { readPlan } from "./read-plan.ts";
import { readSchedule } from "./read-schedule.ts";

const DAY_MS = 86_400_000;

/** Folder of the two files, relative to the repository's root. The site serves them as downloads. */
const folder = "web/public/media/sample";

/** Length of the longest excerpt of a line of the XER file. */
const MAX_LINE = 96;

/**
 * Returns what the site shows about the sample: the plan and the XER schedule with bars in percent of the chart, both files'
 * sizes, the log, the health checks and the analysis by activity.
 */
export function buildSample(root: string) {
  const xml = readFileSync(join(root, folder, "footbridge.xml"), "utf8");
  const xer = readFileSync(join(root, folder, "footbridge.xer"), "utf8");
  const plan = readPlan(xml);
  const schedule = readSchedule(xer);
  const place = createScale(plan.tasks);
  const log = writeLog(plan, schedule);
  const analysis = schedule.activities.flatMap((activity) => {
    const task = plan.tasks.find(({ code }) => code === activity.code);
    return task ? [{ code: task.code, name: task.name, values: compareTask(task, activity) }] : [];
  });
  const health = checkHealth(schedule);
  const counts = (["error", "warning", "note"] as const).map((kind) => ({
    kind,
    count: log.filter((one) => one.kind === kind).length,
  }));
  return {
    summary: {
      activities: schedule.activities.length,
      relationships: schedule.activities.flatMap(({ links }) => links).length,
      problems: counts.filter(({ kind }) => kind !== "note").reduce((sum, { count }) => sum + count, 0),
      checksPassed: health.filter(({ isPassed }) => isPassed).length,
      checks: health.length,
    },
    title: plan.title,
    files: [
      { name: "footbridge.xml", to: "/media/sample/footbridge.xml", bytes: Buffer.byteLength(xml) },
      { name: "footbridge.xer", to: "/media/sample/footbridge.xer", bytes: Buffer.byteLength(xer) },
    ],
    months: place.months,
    plan: plan.tasks.map((task) => ({
      id: task.code,
      code: task.isSummary ? "" : task.code,
      name: task.name,
      level: task.level,
      kind: task.isSummary ? "summary" : task.isMilestone ? "milestone" : task.isCritical ? "critical" : "task",
      duration: task.isMilestone ? "" : describeDuration(task),
      start: formatMoment(task.start),
      finish: formatMoment(task.finish),
      links: task.links.map(describeLink).join(", "),
      ...place.toBar(task),
    })),
    schedule: schedule.activities.map((activity) => ({
      id: activity.code,
      name: activity.name,
      wbs: activity.wbs,
      type: activity.type,
      hours: activity.hours,
      floatHours: activity.floatHours,
      kind: activity.type !== "TT_Task" ? "milestone" : activity.floatHours <= 0 ? "critical" : "task",
      links: activity.links.map(describeLink).join(", "),
      ...place.toBar(activity),
    })),
    tables: schedule.tables,
    excerpt: [xer.slice(0, xer.indexOf("\r\n")), ...xer.slice(xer.indexOf("%T\tTASK\r\n")).split("\r\n", 7)].map(
      (line) => (line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line).replaceAll("\t", "  "),
    ),
    log,
    counts,
    health,
    analysis: analysis.map(({ values, ...one }) => ({
      ...one,
      values,
      changed: values.filter(({ isSame }) => !isSame).length,
    })),
  };
}

/** Returns functions that place times on a chart from the first day to the last, in percent of its width. */
function createScale(tasks: readonly { readonly start: string; readonly finish: string }[]) {
  const toDays = (moment: string) => Date.parse(`${moment.slice(0, 16).replace(" ", "T")}Z`) / DAY_MS;
  const starts = tasks.map(({ start }) => toDays(start));
  const from = Math.floor(Math.min(...starts));
  const length = Math.ceil(Math.max(...tasks.map(({ finish }) => toDays(finish)))) - from + 4;
  const percent = (days: number) => Math.round((days / length) * 10_000) / 100;
  const weeks = Array.from({ length: Math.floor(length / 28) + 1 }, (_, index) => index * 28);
  return {
    months: weeks.map((days) => ({
      at: percent(days),
      label: formatDayAndMonth(new Date((from + days) * DAY_MS).toISOString().slice(0, 10)),
    })),
    toBar: ({ start, finish }: { start: string; finish: string }) => ({
      at: percent(toDays(start) - from),
      length: percent(toDays(finish) - toDays(start)),
    }),
  };
}
