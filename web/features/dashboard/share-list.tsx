import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import classes from "./share-list.module.css";

/** One line: a name that leads to its list, its share of the whole as a bar, and its number. */
export interface Share {
  key: string;
  name: string;
  /** Behind the name, such as a badge. */
  mark?: ReactNode;
  to?: string | undefined;
  /** Of the whole, 0 to 1. */
  share: number;
  value: string;
  /** Before the value, paler. */
  aside?: string;
  tone?: "calm" | "notice" | "critical";
}

/** Parts of a whole, as bars beside their numbers. */
export function ShareList({ label, shares }: { label: string; shares: readonly Share[] }) {
  return (
    <ul className={classes.shares} aria-label={label}>
      {shares.map(({ key, name, mark, to, share, value, aside, tone = "calm" }) => (
        <li key={key} className={classes.share}>
          <span className={classes.name}>
            {to ? <Link to={to}>{name}</Link> : name} {mark}
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
