import type { ReactNode } from "react";
import classes from "./band.module.css";

export interface BandProps {
  /** Id for links (`#id`) and the accessible name. */
  id: string;
  title?: string | undefined;
  text?: string | undefined;
  /** `surface` sets the band apart from its surroundings. */
  tone?: "paper" | "surface";
  children: ReactNode;
}

/** A full-width section of a public page with its title and a sentence. */
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
