import { Link } from "react-router-dom";
import classes from "./share-list.module.css";

/** How good it is that there are any. */
export type Tone = "calm" | "notice" | "critical";

/** One line: a name that leads to its list, its share of the whole as a bar, and its number. */
export interface Share {
  key: string;
  name: string;
  /** A word behind the name. */
  mark?: string;
  to?: string | undefined;
  /** Of the whole, 0 to 1. */
  share: number;
  value: string;
  /** Before the value, paler. */
  aside?: string;
  tone?: Tone;
}

/** Parts of a whole, as bars beside their numbers. */
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
