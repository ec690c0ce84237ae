import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { buildSample } from "../../../scripts/content/sample-schedule/build-sample.ts";
import { readPlan } from "../../../scripts/content/sample-schedule/read-plan.ts";
import { readSchedule, readXer } from "../../../scripts/content/sample-schedule/read-schedule.ts";
import { type ContentFields, readContent } from "../../../scripts/content/read-content.ts";

const root = resolve(import.meta.dirname, "../../..");
const read = (name: string) => readFileSync(resolve(root, "web/public/media/sample", name), "utf8");
const xer = read("footbridge.xer");
const plan = readPlan(read("footbridge.xml"));
const schedule = readSchedule(xer);
const sample = buildSample(root);

test("has an XER file with every table a schedule needs, whose keys lead to rows", () => {
  const tables = readXer(xer);
  for (const name of "CURRTYPE OBS PROJECT CALENDAR PROJWBS RSRC UDFTYPE TASK TASKPRED TASKRSRC".split(" "))
    expect(tables.get(name)?.length, name).toBeGreaterThan(0);
  const ids = (name: string, key: string) => new Set(tables.get(name)?.map((row) => row[key]));
  for (const [from, field, to, key] of [
    ["TASK", "wbs_id", "PROJWBS", "wbs_id"],
    ["TASK", "clndr_id", "CALENDAR", "clndr_id"],
    ["TASK", "proj_id", "PROJECT", "proj_id"],
    ["TASKPRED", "task_id", "TASK", "task_id"],
    ["TASKPRED", "pred_task_id", "TASK", "task_id"],
    ["TASKRSRC", "task_id", "TASK", "task_id"],
    ["TASKRSRC", "rsrc_id", "RSRC", "rsrc_id"],
    ["UDFVALUE", "fk_id", "TASK", "task_id"],
    ["PROJWBS", "obs_id", "OBS", "obs_id"],
  ] as const) {
    const dead = tables.get(from)?.filter((row) => !ids(to, key).has(row[field]));
    expect(dead, `${from}.${field}`).toEqual([]);
  }
});

test("has the same activities, dates and floats in both files", () => {
  const tasks = plan.tasks.filter(({ isSummary }) => !isSummary);
  expect(tasks.map(({ code, name, hours, slackHours }) => [code, name, hours, slackHours])).toEqual(
    schedule.activities.map(({ code, name, hours, floatHours }) => [code, name, hours, floatHours]),
  );
  expect(tasks.map(({ start, finish }) => [start.slice(0, 16), finish.slice(0, 16)])).toEqual(
    schedule.activities.map(({ start, finish }) => [start.replace(" ", "T"), finish.replace(" ", "T")]),
  );
  // No relationship starts an activity before its predecessor allows, except the lead.
  for (const { links, start } of schedule.activities)
    for (const { from, type, lagHours } of links) {
      const before = schedule.activities.find(({ code }) => code === from);
      const earliest = type === "FS" ? before?.finish : before?.start;
      expect(lagHours < 0 || start >= (earliest ?? "")).toBe(true);
    }
});

test("logs what XER can't contain, and nothing else, as errors and warnings", () => {
  expect(sample.log.filter(({ kind }) => kind !== "note").map(({ kind, code }) => [kind, code])).toEqual([
    ["error", "Handover"],
    ["warning", "A1020"],
    ["warning", "A1210"],
    ["warning", "A1240"],
  ]);
  expect(sample.summary).toEqual({ activities: 17, relationships: 19, problems: 4, checksPassed: 2, checks: 10 });
  const changed = sample.analysis.filter((one) => one.changed > 0);
  expect(changed.map(({ code }) => code)).toEqual(["A1020", "A1210", "A1240"]);
});

test("runs the ten checks that the product pages describe", () => {
  const plus = readContent(root).get("products/plus") as ContentFields;
  expect(sample.health.map(({ name }) => name)).toEqual((plus.healthChecks as ContentFields[]).map(({ name }) => name));
  const found = (name: string) => sample.health.find((check) => check.name === name);
  expect(found("Logic")?.activities).toEqual(["A1140"]);
  expect(found("Leads")?.activities).toEqual(["A1120"]);
  expect(found("Hard constraints")?.activities).toEqual(["A1220"]);
  expect(found("High float")?.isPassed).toBe(true);
});

test("rejects an XER file that is cut off or has a broken row", () => {
  expect(() => readXer(xer.replace("%E", ""))).toThrow("no end");
  expect(() => readXer(xer.replace("ERMHDR", "HEADER"))).toThrow("no header");
  expect(() => readXer(xer.replace("%R\t1\t\t\t0\tSample\t", "%R\t1"))).toThrow("invalid line");
});
