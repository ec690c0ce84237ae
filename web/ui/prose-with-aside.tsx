import type { ReactNode } from "react";
import layout from "./layout.module.css";
import { Prose } from "./prose.tsx";
import { Split } from "./split.tsx";

/** Prose with a side column, which stays visible on wide screens and follows the text on narrow ones. */
export function ProseWithAside({ html, first, children }: { html: string; first?: ReactNode; children?: ReactNode }) {
  return (
    <Split columns={first ? "15rem minmax(0, 42rem)" : "minmax(0, 42rem) minmax(20rem, 1fr)"}>
      {first && <div className={layout.sticky}>{first}</div>}
      <Prose html={html} />
      {children && <div className={layout.sticky}>{children}</div>}
    </Split>
  );
}
