import type { ReactNode } from "react";
import { Band, ProseWithAside } from "./band.tsx";
import { ContactCall, type ContactCallProps } from "./contact-call.tsx";
import { ArrowLink } from "./content-link.tsx";
import layout from "./layout.module.css";
import { PageHero } from "./page-hero.tsx";
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
          <p style={{ margin: 0 }}>{text}</p>
          <ArrowLink to={to} label={label} isCover />
        </li>
      ))}
    </ul>
  );
}

export interface OffersPageProps {
  content: {
    readonly title: string;
    readonly heading: string;
    readonly lead: string;
    readonly cards: readonly LinkRow[];
    readonly html: string;
  };
  /** Anchor of the cards. */
  id: string;
  /** Drawings by URL. */
  pictures: Readonly<Record<string, ReactNode>>;
  /** What the contact details beside the text say. */
  call: Pick<ContactCallProps, "title" | "text">;
}

/** A page that leads to others: link cards with drawings, and a text beside the contact details. */
export function OffersPage({ content, id, pictures, call }: OffersPageProps) {
  const { cards, html } = content;
  return (
    <>
      <PageHero content={content} />
      <Band id={id}>
        <PictureCards cards={cards} pictures={pictures} />
      </Band>
      <Band id="more" tone="surface">
        <ProseWithAside html={html}>
          <ContactCall mailbox="corporate" {...call} />
        </ProseWithAside>
      </Band>
    </>
  );
}

function PictureCards({ cards, pictures }: { cards: readonly LinkRow[] } & Pick<OffersPageProps, "pictures">) {
  return (
    <ul className={`${layout.columns} ${classes.cards}`} data-count={cards.length}>
      {cards.map(({ title, text, to, label }) => (
        <li key={to} className={layout.card}>
          <div className={classes.picture}>{pictures[to]}</div>
          <div className={classes.words}>
            <h2 style={{ fontSize: "1.3125rem" }}>{title}</h2>
            <p>{text}</p>
            <ArrowLink to={to} label={label} isCover />
          </div>
        </li>
      ))}
    </ul>
  );
}
