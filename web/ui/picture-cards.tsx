import type { ReactNode } from "react";
import { ArrowLink } from "./arrow-link.tsx";
import layout from "./layout.module.css";
import type { LinkRow } from "./link-rows.tsx";
import classes from "./picture-cards.module.css";

export interface PictureCardsProps {
  cards: readonly LinkRow[];
  /** Drawings by URL. */
  pictures: Readonly<Record<string, ReactNode>>;
}

/** Link cards with drawings. */
export function PictureCards({ cards, pictures }: PictureCardsProps) {
  return (
    <ul className={`${layout.columns} ${classes.cards}`} data-count={cards.length}>
      {cards.map(({ title, text, to, label }) => (
        <li key={to} className={layout.card}>
          <div className={classes.picture}>{pictures[to]}</div>
          <div className={classes.words}>
            <h2>{title}</h2>
            <p>{text}</p>
            <ArrowLink to={to} label={label} isCover />
          </div>
        </li>
      ))}
    </ul>
  );
}
