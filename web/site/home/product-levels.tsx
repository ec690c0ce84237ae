import type { CSSProperties } from "react";
import { type ComparisonRow, ComparisonTable } from "#web/billing/plans/comparison-table.tsx";
import { Band } from "#web/public-ui/band.tsx";
import layout from "#web/public-ui/layout.module.css";
import { ActionLink } from "#web/licensing/trials/action-link.tsx";
import { ContentLink } from "#web/public-ui/content-link.tsx";
import classes from "./product-levels.module.css";
import { StillPicture } from "./still-picture.tsx";
import { StillTierIcon } from "./still-pictures.ts";

type Level = "standard" | "plus" | "professional";

export interface ProductCard {
  readonly product: string;
  readonly name: string;
  readonly label: string;
  readonly text: string;
  readonly features: readonly string[];
  readonly links: readonly { readonly label: string; readonly to: string }[];
}

/**
 * The three levels as cards above a feature chart. Each card is one layer taller than the previous one. On wide screens,
 * the cards line up with the columns of the chart.
 */
export function ProductLevels({
  heading,
  text,
  cards,
  comparison,
}: {
  heading: string;
  text: string;
  cards: readonly ProductCard[];
  comparison: { readonly what: string; readonly rows: readonly ComparisonRow[] };
}) {
  return (
    <Band id="levels" hasOwnTitle>
      <div className={`${layout.columns} ${classes.cards}`}>
        <div className={classes.head}>
          <h2 id="levels-title">{heading}</h2>
          <p>{text}</p>
        </div>
        {cards.map((card, position) => (
          <Card key={card.product} card={card} layers={position + 1} />
        ))}
      </div>
      <div className={classes.chart}>
        <ComparisonTable
          heading={comparison.what}
          rows={comparison.rows}
          levels={cards.map(({ product, name, label }) => ({ id: product, name, label }))}
        />
      </div>
    </Band>
  );
}

function Card({ card, layers }: { card: ProductCard; layers: number }) {
  const { product, name, label, text, features, links } = card;
  return (
    <article
      className={`${layout.card} ${classes.card}`}
      data-level={product}
      style={{ "--layers": layers } as CSSProperties}
    >
      <div className={classes.name}>
        <StillPicture className={classes.icon}>
          <StillTierIcon level={product as Level} />
        </StillPicture>
        <div>
          <h3>{name}</h3>
          <span className={classes.label}>{label}</span>
        </div>
      </div>
      <p>{text}</p>
      <ul className={`${layout.bars} ${classes.features}`}>
        {features.map((feature) => (
          <li key={feature}>{feature}</li>
        ))}
      </ul>
      <div className={classes.links}>
        {links.map((link) =>
          link.to.startsWith("/trial-") ? (
            <ActionLink key={link.to} link={link} size="md" />
          ) : (
            <ContentLink key={link.to} to={link.to}>
              {link.label}
            </ContentLink>
          ),
        )}
      </div>
      <div className={classes.layers} data-tones aria-hidden="true">
        {Array.from({ length: layers }, (_, layer) => (
          <i key={layer} />
        ))}
      </div>
    </article>
  );
}
