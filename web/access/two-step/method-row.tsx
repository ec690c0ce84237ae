import type { ReactNode } from "react";
import classes from "./two-step.module.css";

/** One way to prove the second step: its name, what there is to know, and what can be done. */
export function MethodRow(props: { name: string; facts: string; warns?: boolean; children: ReactNode }) {
  const { name, facts, warns = false, children } = props;
  return (
    <li className={classes.method}>
      <div>
        <h2 className={classes.name}>{name}</h2>
        <p className={classes.hint} data-warns={warns || undefined}>
          {facts}
        </p>
      </div>
      <div className={classes.actions}>{children}</div>
    </li>
  );
}
