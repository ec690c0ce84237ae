import type { ReactNode } from "react";
import { Prose } from "./prose.tsx";
import classes from "./prose-with-aside.module.css";

/** Prose with a side column, which stays visible on wide screens and follows the text on narrow ones. */
export function ProseWithAside({ html, first, children }: { html: string; first?: ReactNode; children?: ReactNode }) {
  return (
    <div className={classes.columns} data-first={first ? true : undefined}>
      {first && <div className={classes.beside}>{first}</div>}
      <Prose html={html} />
      {children && <div className={classes.beside}>{children}</div>}
    </div>
  );
}
