import type { ReactNode } from "react";
import classes from "./band.module.css";

export interface BandProps {
  /** Names the band for links (`#id`) and for screen readers. */
  id: string;
  title?: string | undefined;
  text?: string | undefined;
  /** `surface` sets the band apart from the paper around it. */
  tone?: "paper" | "surface";
  children: ReactNode;
}

/** A part of a public page over its whole width, with its title and a sentence beside it. */
export function Band({ id, title, text, tone = "paper", children }: BandProps) {
  return (
    <section id={id} className={classes.band} data-tone={tone} aria-labelledby={title ? `${id}-title` : undefined}>
      <div className={classes.inner}>
        {title && (
          <div className={classes.head}>
            <h2 id={`${id}-title`}>{title}</h2>
            {text && <p>{text}</p>}
          </div>
        )}
        {children}
      </div>
    </section>
  );
}
