import type { ReactNode, CSSProperties } from "react";
import classes from "./band.module.css";
import layout from "./layout.module.css";
import { Prose } from "./prose.tsx";

/** Prose with a side column, which stays visible on wide screens and follows the text on narrow ones. */
export function ProseWithAside({ html, children }: { html: string; children: ReactNode }) {
  return (
    <Split columns="minmax(0, 42rem) minmax(20rem, 1fr)">
      <Prose html={html} />
      <div className={layout.sticky}>{children}</div>
    </Split>
  );
}

/** Columns of the given widths (`grid-template-columns`) on wide screens, below each other on narrow ones. */
export function Split({ columns, align, children }: { columns: string; align?: "center"; children: ReactNode }) {
  return (
    <div className={layout.split} style={{ "--split": columns, "--align": align } as CSSProperties}>
      {children}
    </div>
  );
}

export interface BandProps {
  /** Id for links (`#id`) and the accessible name. */
  id: string;
  title?: string | undefined;
  /** True if the content has the title: an element with the id `<id>-title`. */
  hasOwnTitle?: boolean;
  /** Shown next to the title. */
  text?: ReactNode;
  /** `surface` and `sunken` set the band apart from its surroundings. `night` is dark in both colour schemes. */
  tone?: "paper" | "surface" | "sunken" | "night";
  children: ReactNode;
}

/** A full-width section of a public page with its title and a sentence. */
export function Band({ id, title, hasOwnTitle, text, tone = "paper", children }: BandProps) {
  return (
    <section
      id={id}
      className={classes.band}
      data-tone={tone}
      data-undrawn
      aria-labelledby={title || hasOwnTitle ? `${id}-title` : undefined}
    >
      <div className={classes.inner}>
        {title && (
          <div className={classes.head}>
            <h2 id={`${id}-title`}>{title}</h2>
            {text && <div>{text}</div>}
          </div>
        )}
        {children}
      </div>
    </section>
  );
}
