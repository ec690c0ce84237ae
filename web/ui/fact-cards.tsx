import { Badge } from "./badge.tsx";
import type { Icon } from "@tabler/icons-react";
import type { ReactNode } from "react";
import classes from "./fact-cards.module.css";

/** A list of cards in columns where the width allows. `label` names it for screen readers. */
export function FactCards({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className={classes.cards} aria-label={label}>
      {children}
    </ul>
  );
}

export interface FactCardProps {
  icon: Icon;
  name: string;
  /** Id of the name, for the `aria-labelledby` of the card's button. */
  nameId: string;
  facts: readonly (readonly [name: string, value: ReactNode])[];
  /** Default 2; use 3 inside a titled section of a page. */
  headingLevel?: 2 | 3 | undefined;
  /** Label that distinguishes this card from the others. */
  mark?: string | undefined;
  children?: ReactNode;
}

export function FactCard({ icon: Picture, name, nameId, facts, headingLevel = 2, mark, children }: FactCardProps) {
  const Heading = `h${headingLevel}` as const;
  return (
    <li className={classes.card} data-marked={mark !== undefined || undefined}>
      <span className={classes.icon}>
        <Picture size={22} stroke={1.6} aria-hidden="true" />
      </span>
      <Heading id={nameId} className={classes.name}>
        {name}
      </Heading>
      {mark !== undefined && <Badge>{mark}</Badge>}
      <dl className={classes.facts}>
        {facts.map(([title, value]) => (
          <FactLine key={title} title={title} value={value} />
        ))}
      </dl>
      {children}
    </li>
  );
}

function FactLine({ title, value }: { title: string; value: ReactNode }) {
  return (
    <>
      <dt>{title}</dt>
      <dd>{value}</dd>
    </>
  );
}
