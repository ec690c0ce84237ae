import type { ReactNode } from "react";
import { formatClock, formatWeekday, getTimeZoneName } from "#schema/dates.ts";
import classes from "./history-timeline.module.css";

/** Fields of every timeline entry. */
interface Entry {
  id: string;
  /** Time in ISO 8601 format. */
  at: string;
}

/** Style of an entry's marker: the default dot, a red dot, or a milestone diamond. */
export type Tone = "granted" | "refused" | "change";

/** Groups entries by day, newest first, each with its time and a marker. `children` renders the rest of an entry. */
export function DayTimeline<TEntry extends Entry>(props: {
  entries: readonly TEntry[];
  toneOf: (entry: TEntry) => Tone;
  /** Level of the day headings: 2 directly below the page title, 3 inside a titled section. */
  headingLevel: 2 | 3;
  children: (entry: TEntry) => ReactNode;
}) {
  const { entries, toneOf, headingLevel, children } = props;
  const Heading = `h${headingLevel}` as const;
  return (
    <div className={classes.days}>
      {groupByDay(entries).map(([day, happened]) => (
        <section key={day} className={classes.day} aria-label={day}>
          <Heading>{day}</Heading>
          <ol className={classes.events}>
            {happened.map((entry) => (
              <li key={entry.id} className={classes.event} data-tone={toneOf(entry)}>
                <Moment at={entry.at} />
                <div className={classes.what}>{children(entry)}</div>
              </li>
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

function Moment({ at }: { at: string }) {
  return (
    <time className={classes.moment} dateTime={at}>
      <span>{formatClock(at)}</span> <small>{getTimeZoneName(at)}</small>
    </time>
  );
}

function groupByDay<TEntry extends Entry>(entries: readonly TEntry[]): [day: string, entries: TEntry[]][] {
  const days = new Map<string, TEntry[]>();
  for (const entry of entries) {
    const day = formatWeekday(entry.at);
    days.set(day, [...(days.get(day) ?? []), entry]);
  }
  return [...days];
}
