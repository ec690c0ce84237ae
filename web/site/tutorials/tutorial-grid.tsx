import { IconArrowDown } from "@tabler/icons-react";
import type { ReactNode } from "react";
import layout from "#web/ui/layout.module.css";
import { Tag } from "#web/ui/tag.tsx";
import classes from "./tutorial-grid.module.css";

export interface TutorialCard {
  /** Anchor of its steps. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** The video, or a picture if there is none. */
  readonly media: ReactNode;
  /** Caption of the video. */
  readonly caption?: ReactNode;
  readonly hasVideo: boolean;
}

/** Grid of tutorials with links to their steps. `children` is shown last. */
export function TutorialGrid({ tutorials, children }: { tutorials: readonly TutorialCard[]; children: ReactNode }) {
  return (
    <ol className={classes.grid} data-screen-only>
      {tutorials.map(({ id, title, description, media, caption, hasVideo }, index) => (
        <li key={id} className={classes.card} data-film={hasVideo || undefined}>
          <div className={classes.media}>{media}</div>
          <h2 className={classes.title}>
            <span aria-hidden="true">
              <Tag isBrand>{`${index + 1}`}</Tag>
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
      <li className={`${layout.dashed} ${classes.last}`}>{children}</li>
    </ol>
  );
}
