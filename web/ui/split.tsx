import type { CSSProperties, ReactNode } from "react";
import classes from "./layout.module.css";

/** Columns of the given widths (`grid-template-columns`) on wide screens, below each other on narrow ones. */
export function Split({ columns, children }: { columns: string; children: ReactNode }) {
  return (
    <div className={classes.split} style={{ "--split": columns } as CSSProperties}>
      {children}
    </div>
  );
}
