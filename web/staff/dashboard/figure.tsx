import { Link } from "react-router-dom";
import { formatNumber } from "#schema/numbers.ts";
import classes from "./figure.module.css";

export interface FigureProps {
  name: string;
  /** As it is shown: `1,204`, `A$599.73`, `12 %`. */
  value: string;
  /** The list behind it. */
  to: string;
  /** What it was before, and how the two differ; left out where there is nothing to compare with. */
  change?: Change | undefined;
  /** Under it: what it is exactly. */
  hint?: string;
}

/** How a figure moved. */
export interface Change {
  /** `+4`, `−12 %`. */
  text: string;
  /** `than in the 30 days before`. */
  since: string;
  direction: "up" | "down" | "same";
  isGood: boolean | null;
}

/** A number that leads to what it counts. */
export function Figure({ name, value, to, change, hint }: FigureProps) {
  return (
    <Link className={classes.figure} to={to}>
      <span className={classes.name}>{name}</span>{" "}
      <span className={classes.row}>
        <b className={classes.value}>{value}</b>{" "}
        {change && (
          <span className={classes.change} data-good={change.isGood ?? undefined} title={change.since}>
            <span aria-hidden="true">{change.direction === "up" ? "↗ " : change.direction === "down" ? "↘ " : ""}</span>
            {change.text} <span className={classes.hidden}>{change.since}</span>
          </span>
        )}
      </span>{" "}
      {hint && <span className={classes.hint}>{hint}</span>}
    </Link>
  );
}

/** Changes of fewer than so many are told as a number: 'twice as many' of two says little. */
const FEW = 20;

/**
 * How a figure compares with the one before.
 * @param good which direction is good news; null where neither is
 * @param format how a difference is written where it is not told in percent
 */
export function changeOf(
  { value, before }: { value: number; before: number },
  since: string,
  good: "up" | "down" | null,
  format: (difference: number) => string = (difference) => formatNumber(difference),
): Change {
  const difference = value - before;
  if (difference === 0) return { text: "±0", since, direction: "same", isGood: null };
  const direction = difference > 0 ? "up" : "down";
  const sign = difference > 0 ? "+" : "−";
  const size = Math.abs(difference);
  const text = before < FEW ? `${sign}${format(size)}` : `${sign}${percent(size / before)}`;
  return { text, since, direction, isGood: good === null ? null : good === direction };
}

/** `12 %` on one line, with one digit after the point where it is little. */
export function percent(share: number): string {
  const digits = share * 100 < 10 ? 1 : 0;
  return `${formatNumber(share * 100, digits)}\u00a0%`;
}
