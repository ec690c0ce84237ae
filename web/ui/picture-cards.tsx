import type { ReactNode } from "react";
import { ArrowLink } from "./content-link.tsx";
import layout from "./layout.module.css";
import classes from "./picture-cards.module.css";

interface LinkRow {
  readonly title: string;
  readonly text: string;
  readonly to: string;
  readonly label: string;
}

export function LinkRows({ rows }: { rows: readonly LinkRow[] }) {
  return (
    <ul className={`${layout.rows} ${classes.rows}`}>
      {rows.map(({ title, text, to, label }) => (
        <li key={to}>
          <h3>{title}</h3>
          <p>{text}</p>
          <ArrowLink to={to} label={label} isCover />
        </li>
      ))}
    </ul>
  );
}

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
