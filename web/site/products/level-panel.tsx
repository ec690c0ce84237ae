import { type CSSProperties, useEffect, useState } from "react";
import { useLocation } from "react-router-dom";
import levels from "content:levels";
import { buildPlanPriceId, type PlanInterval } from "#schema/plan-catalogue.ts";
import { paths } from "#web/platform/paths.ts";
import { Button } from "#web/ui/button.tsx";
import { ActionLink } from "#web/licensing/trials/call-to-action.tsx";
import { ArrowLink } from "#web/ui/content-link.tsx";
import layout from "#web/ui/layout.module.css";
import { LevelIcon, LevelLabel } from "#web/billing/plans/level-icon.tsx";
import classes from "./level-panel.module.css";
import { usePlanPrices } from "./plan-prices.ts";
import { PricePair } from "./price-pair.tsx";
import { YearlyPriceChart } from "./yearly-price-chart.tsx";

interface LevelCard {
  /** Id of the level. */
  readonly product: string;
  readonly text: string;
  /** Links to the product's own page are shown as text, other links as buttons. */
  readonly links: readonly { readonly label: string; readonly to: string }[];
}

interface LevelPanelProps extends Omit<LevelCard, "product"> {
  level: (typeof levels)[number];
  interval: PlanInterval;
  isCompact: boolean;
}

/** The bar of what lower levels have, too. */
const kept = { "--tone": "var(--xp-bar-soft)" } as CSSProperties;

/** Panel of a level with its price and links. The flagship spans the full width and shows a price comparison. */
function LevelPanel({ level, text, links, interval, isCompact }: LevelPanelProps) {
  const isFlagship = !level.retiring;
  const subscribe = paths.manageSubscriptionTo.href({ productId: level.slug });
  // The chosen interval is part of the address, so it also survives registration and sign-in.
  const chosen = paths.manageSubscriptionTo.href({ productId: buildPlanPriceId(level.slug, interval) });
  const overview = paths.trialAndSubscribe.href();
  const { isOnSale } = usePlanPrices()(level.slug);
  const pages = links.filter(({ to }) => to.startsWith("/product/"));
  const actions = links
    .filter((link) => !pages.includes(link) && (isOnSale || link.to !== subscribe))
    .map((link) => {
      if (link.to === subscribe) return { ...link, to: chosen };
      return link.to === overview && interval === "yearly" ? { ...link, to: `${overview}?${YEARLY}` } : link;
    });
  return (
    <article
      className={`${layout.card} ${isFlagship ? layout.summary : ""} ${classes.panel}`}
      data-flagship={isFlagship || undefined}
      data-level={level.logo}
    >
      <div className={classes.what}>
        <div className={classes.name}>
          <LevelIcon level={level} />
          <h3>{level.name}</h3>
          <LevelLabel level={level} />
        </div>
        <p>{text}</p>
        <ul className={layout.bars}>
          {level.adds.map((add) => (
            <li key={add} style={add.startsWith("Everything in ") ? kept : undefined}>
              {add}
            </li>
          ))}
        </ul>
      </div>
      <div className={classes.price}>
        <PricePair slug={level.slug} size={isFlagship ? "lg" : "md"} interval={interval} isCompact={isCompact} />
        {isFlagship && !isCompact && <YearlyPriceChart slug={level.slug} />}
      </div>
      <div className={layout.actions} style={{ alignContent: "end" }}>
        {actions.map((link, index) => (
          <ActionLink
            // Not the address: a link that is replaced when the interval changes loses a click that has begun.
            key={link.label}
            link={link}
            variant={isFlagship && index === 0 ? "filled" : "default"}
            size={isFlagship && !isCompact ? "lg" : "md"}
          />
        ))}
        {pages.map(({ label, to }) => (
          <ArrowLink key={to} to={to} label={label} />
        ))}
      </div>
    </article>
  );
}

/** Query of a page whose prices start with the yearly ones. */
const YEARLY = "interval=yearly";

const intervals: readonly { value: PlanInterval; label: string }[] = [
  { value: "monthly", label: "Monthly" },
  { value: "yearly", label: "Yearly" },
];

/**
 * Panels of all levels with a switch between monthly and yearly prices: the flagship at full width, the others next to
 * each other. Compact panels share one row on wide screens.
 */
export function LevelPanels({ cards, isCompact = false }: { cards: readonly LevelCard[]; isCompact?: boolean }) {
  const [interval, setInterval] = useState<PlanInterval>("monthly");
  const { search } = useLocation();
  // The prerendered page has monthly prices, whatever its address is.
  useEffect(() => {
    if (new URLSearchParams(search).get("interval") === "yearly") setInterval("yearly");
  }, [search]);
  return (
    <div className={classes.panels} data-compact={isCompact || undefined}>
      <div className={classes.switch} role="group" aria-label="Billing interval" data-needs-scripts data-screen-only>
        {intervals.map(({ value, label }) => (
          <Button
            key={value}
            size="sm"
            variant={value === interval ? "default" : "subtle"}
            aria-pressed={value === interval}
            onClick={() => setInterval(value)}
          >
            {label}
          </Button>
        ))}
      </div>
      {cards.flatMap(({ product, ...card }) =>
        levels
          .filter(({ id }) => id === product)
          .map((level) => (
            <LevelPanel key={product} level={level} {...card} interval={interval} isCompact={isCompact} />
          )),
      )}
    </div>
  );
}
