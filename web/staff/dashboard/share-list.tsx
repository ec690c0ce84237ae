import { Link } from "react-router-dom";
import classes from "./share-list.module.css";

/** Severity of an entry, shown as its colour. */
export type Tone = "calm" | "notice" | "critical";

/** One entry: a name that links to its list, its share of the total as a bar, and its value. */
export interface Share {
  key: string;
  name: string;
  /** Label after the name. */
  mark?: string;
  to?: string | undefined;
  /** Share of the total, 0 to 1. */
  share: number;
  value: string;
  /** Secondary text before the value. */
  aside?: string;
  tone?: Tone;
}

/** Shows the shares of a total as bars with their values. */
export function ShareList({ label, shares }: { label: string; shares: readonly Share[] }) {
  return (
    <ul className={classes.shares} aria-label={label}>
      {shares.map(({ key, name, mark, to, share, value, aside, tone = "calm" }) => (
        <li key={key} className={classes.share}>
          <span className={classes.name}>
            {to ? <Link to={to}>{name}</Link> : name}{" "}
            {mark && (
              <span className={classes.mark} data-tone={tone}>
                {mark}
              </span>
            )}
          </span>{" "}
          <span className={classes.bar} data-tone={tone} aria-hidden="true">
            <i style={{ width: `${Math.max(share * 100, 0.5)}%` }} />
          </span>{" "}
          <span className={classes.value}>
            {aside && <span className={classes.aside}>{aside}</span>} {value}
          </span>
        </li>
      ))}
    </ul>
  );
}
