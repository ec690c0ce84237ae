import { IconArrowDown } from "@tabler/icons-react";
import type { ReactNode } from "react";
import classes from "./tutorial-grid.module.css";

/** A tutorial as the grid shows it. */
export interface TutorialCard {
  /** Its address in the page. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** Its film, or the picture that stands in for one. */
  readonly media: ReactNode;
  /** What there is to say of the film. */
  readonly caption?: ReactNode;
  readonly hasFilm: boolean;
}

/** The tutorials at a glance; each leads to its steps. What stands in `children` takes the last place. */
export function TutorialGrid({ tutorials, children }: { tutorials: readonly TutorialCard[]; children: ReactNode }) {
  return (
    <ol className={classes.grid}>
      {tutorials.map(({ id, title, description, media, caption, hasFilm }, index) => (
        <li key={id} className={classes.card} data-film={hasFilm || undefined}>
          <div className={classes.media}>{media}</div>
          <h2 className={classes.title}>
            <span className={classes.number} aria-hidden="true">
              {index + 1}
            </span>
            <a href={`#${id}`}>{title}</a>
          </h2>
          <p className={classes.description}>{description}</p>
          <div className={classes.end}>
            {caption}
            <p className={classes.go} aria-hidden="true">
              Read the steps
              <IconArrowDown size={16} stroke={2} />
            </p>
          </div>
        </li>
      ))}
      <li className={classes.last}>{children}</li>
    </ol>
  );
}
