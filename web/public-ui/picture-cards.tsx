import { IconArrowRight } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { ContentLink } from "#web/ui/content-link.tsx";
import type { LinkRow } from "./link-rows.tsx";
import classes from "./picture-cards.module.css";

/** Link cards with drawings. `pictures` maps each URL to its drawing. */
export function PictureCards(props: { cards: readonly LinkRow[]; pictures: Readonly<Record<string, ReactNode>> }) {
  const { cards, pictures } = props;
  return (
    <ul className={classes.cards} data-count={cards.length}>
      {cards.map(({ title, text, to, label }) => (
        <li key={to}>
          <div className={classes.picture}>{pictures[to]}</div>
          <div className={classes.words}>
            <h2>{title}</h2>
            <p>{text}</p>
            <ContentLink to={to} className={classes.link}>
              {label}
              <IconArrowRight size={18} stroke={2} aria-hidden="true" />
            </ContentLink>
          </div>
        </li>
      ))}
    </ul>
  );
}
