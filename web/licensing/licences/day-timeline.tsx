import type { ReactNode } from "react";
import { formatClock, formatWeekday, timeZoneName } from "#schema/dates.ts";
import classes from "./history-timeline.module.css";

/** What every entry of a timeline has. */
interface Entry {
  id: string;
  /** ISO 8601. */
  at: string;
}

/** How an entry's mark looks: a bar, a red one, or a milestone. */
export type Tone = "granted" | "refused" | "change";

/** Entries under the days they happened on, newest first, each with its time and mark; `children` says the rest. */
export function DayTimeline<TEntry extends Entry>(props: {
  entries: readonly TEntry[];
  toneOf: (entry: TEntry) => Tone;
  /** Of the days: 2 right under the page's name, 3 inside a titled part of it. */
  headingLevel: 2 | 3;
  children: (entry: TEntry) => ReactNode;
}) {
  const { entries, toneOf, headingLevel, children } = props;
  const Heading = `h${headingLevel}` as const;
  return (
    <div className={classes.days}>
      {byDay(entries).map(([day, happened]) => (
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
      <span>{formatClock(at)}</span> <small>{timeZoneName(at)}</small>
    </time>
  );
}

function byDay<TEntry extends Entry>(entries: readonly TEntry[]): [day: string, entries: TEntry[]][] {
  const days = new Map<string, TEntry[]>();
  for (const entry of entries) {
    const day = formatWeekday(entry.at);
    days.set(day, [...(days.get(day) ?? []), entry]);
  }
  return [...days];
}
