import type { Activity, Schedule } from "./read-schedule.ts";

/** Result of a health check. */
export interface HealthCheck {
  readonly name: string;
  readonly tested: number;
  readonly found: number;
  readonly limit: string;
  readonly isPassed: boolean;
  /** IDs of the activities to review. */
  readonly activities: readonly string[];
}

/** Working days above which float and durations are high, in the schedule-quality standard. */
const HIGH_DAYS = 44;

/** Largest share of findings, where the standard allows some. */
const SHARE = 0.05;

/** Smallest share of finish–start relationships. */
const FINISH_TO_START_SHARE = 0.9;

/** Runs the ten health checks of the industry's schedule-quality standard. */
export function checkHealth({ activities, dataDate }: Schedule): readonly HealthCheck[] {
  const links = activities.flatMap(({ code, links: own }) => own.map((link) => ({ ...link, code })));
  const predecessors = new Set(links.map(({ from }) => from));
  const [first, last] = [activities[0], activities.at(-1)];
  const days = ({ floatHours, hoursPerDay }: Activity) => floatHours / hoursPerDay;
  const tasks = activities.filter(({ type }) => type === "TT_Task");
  const check = <Item extends { readonly code: string }>(
    name: string,
    all: readonly Item[],
    isFound: (one: Item) => boolean,
    share = 0,
  ): HealthCheck => {
    const found = all.filter(isFound);
    return {
      name,
      tested: all.length,
      found: found.length,
      limit: share > 0 ? `${share * 100} %` : "0",
      isPassed: found.length <= all.length * share,
      activities: [...new Set(found.map(({ code }) => code))],
    };
  };
  const hasOpenEnd = (one: Activity) =>
    (one !== first && one.links.length === 0) || (one !== last && !predecessors.has(one.code));
  const finishToStart = links.filter(({ type }) => type === "FS").length;
  return [
    check("Logic", activities, hasOpenEnd, SHARE),
    check("Leads", links, ({ lagHours }) => lagHours < 0),
    check("Lags", links, ({ lagHours }) => lagHours > 0, SHARE),
    {
      ...check("Finish–start relationships", links, ({ type }) => type !== "FS"),
      found: finishToStart,
      limit: `at least ${FINISH_TO_START_SHARE * 100} %`,
      isPassed: finishToStart >= links.length * FINISH_TO_START_SHARE,
    },
    check("Hard constraints", activities, ({ constraint }) => constraint?.isHard === true, SHARE),
    check("High float", activities, (one) => days(one) > HIGH_DAYS, SHARE),
    check("Negative float", activities, (one) => days(one) < 0),
    check("High-duration tasks", tasks, (one) => one.hours / one.hoursPerDay > HIGH_DAYS, SHARE),
    check("Invalid dates", activities, (one) => one.isStarted || one.start < dataDate),
    check("Resources", tasks, ({ resource }) => !resource),
  ];
}
