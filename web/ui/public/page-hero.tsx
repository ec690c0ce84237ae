import type { ReactNode } from "react";
import { PageTitle } from "#web/ui/page-layout.tsx";
import { ScheduleStrip } from "#web/ui/schedule-strip.tsx";
import classes from "./page-hero.module.css";

export interface PageHeroProps {
  /** The `title` of the content's front matter: what the browser's tab says. */
  title: string;
  /** The one `h1`. */
  heading: string;
  lead?: string | undefined;
  /** Stands over the heading: what kind of thing the page is about. */
  eyebrow?: ReactNode;
  /** Links or buttons under the lead. */
  actions?: ReactNode;
  /** A line under the actions: what they cost. */
  note?: ReactNode;
  /** A picture beside the words on wide screens, below them on narrow ones. */
  picture?: ReactNode;
}

/** The head of a public page. */
export function PageHero({ title, heading, lead, eyebrow, actions, note, picture }: PageHeroProps) {
  return (
    <header className={classes.hero} data-picture={picture ? true : undefined}>
      <div className={classes.inner}>
        <div>
          <ScheduleStrip />
          {eyebrow && <div className={classes.eyebrow}>{eyebrow}</div>}
          <PageTitle className={classes.title} documentTitle={title}>
            {heading}
          </PageTitle>
          {lead && <p className={classes.lead}>{lead}</p>}
          {actions && <div className={classes.actions}>{actions}</div>}
          {note && <p className={classes.note}>{note}</p>}
        </div>
        {picture && <div className={classes.picture}>{picture}</div>}
      </div>
    </header>
  );
}
