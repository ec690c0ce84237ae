import type { ReactNode } from "react";
import classes from "./band.module.css";

export interface BandProps {
  /** Id for links (`#id`) and the accessible name. */
  id: string;
  title?: string | undefined;
  /** True if the content has the title: an element with the id `<id>-title`. */
  hasOwnTitle?: boolean;
  /** Shown next to the title. */
  text?: ReactNode;
  /** `surface` sets the band apart from its surroundings. `night` is dark in both colour schemes. */
  tone?: "paper" | "surface" | "night";
  children: ReactNode;
}

/** A full-width section of a public page with its title and a sentence. */
export function Band({ id, title, hasOwnTitle, text, tone = "paper", children }: BandProps) {
  return (
    <section
      id={id}
      className={classes.band}
      data-tone={tone}
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
