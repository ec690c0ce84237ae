import type { ReactNode } from "react";
import { PageTitle } from "./page-layout.tsx";
import { ScheduleStrip } from "#web/ui/pictures/schedule-strip.tsx";
import layout from "./layout.module.css";
import classes from "./page-hero.module.css";

export interface PageHeroProps {
  /** The document's title, the `h1` and the sentences below it, as in the front matter. */
  content: { readonly title: string; readonly heading: string; readonly lead?: string | undefined };
  /** A short text above the heading that names the topic. */
  eyebrow?: ReactNode;
  /** Links or buttons under the lead. */
  actions?: ReactNode;
  /** A line under the actions, for example about costs. */
  note?: ReactNode;
  /** A picture, right of the text on wide screens and below it on narrow ones. */
  picture?: ReactNode;
}

export function PageHero({ content, eyebrow, actions, note, picture }: PageHeroProps) {
  const { title, heading, lead } = content;
  return (
    <header className={classes.hero}>
      <div className={classes.inner}>
        <div>
          <ScheduleStrip />
          {eyebrow && <div className={`${layout.actions} ${classes.actions}`}>{eyebrow}</div>}
          <PageTitle className={classes.title} documentTitle={title}>
            {heading}
          </PageTitle>
          {lead && <p className={classes.lead}>{lead}</p>}
          {actions && <div className={`${layout.actions} ${classes.actions}`}>{actions}</div>}
          {note && (
            <p
              style={{
                maxWidth: "40rem",
                marginTop: "1rem",
                color: "var(--xp-muted)",
                fontVariantNumeric: "tabular-nums",
              }}
            >
              {note}
            </p>
          )}
        </div>
        {picture && <div>{picture}</div>}
      </div>
    </header>
  );
}
