import levels from "content:levels";
import words from "content:product-words";
import { formatUsd } from "#schema/money.ts";
import { paths } from "#web/platform/paths.ts";
import { pictureByName } from "#web/site/pictures/by-name.ts";
import { ShowcaseFigure } from "#web/site/pictures/showcase-figure.tsx";
import { ActionLink } from "#web/licensing/trials/action-link.tsx";
import { Band, Split } from "#web/ui/band.tsx";
import { CallToAction } from "#web/licensing/trials/call-to-action.tsx";
import layout from "#web/ui/layout.module.css";
import { PageHero } from "#web/ui/page-hero.tsx";
import { PageLinks } from "#web/ui/page-links.tsx";
import { Accordion } from "#web/ui/accordion.tsx";
import { Prose } from "#web/ui/prose.tsx";
import { FeatureList, type FeatureListProps } from "./feature-list.tsx";
import { LevelIcon, LevelLabel } from "#web/billing/plans/level-icon.tsx";
import { usePlanPrices } from "./plan-prices.ts";
import { PricePair } from "./price-pair.tsx";
import classes from "./product-details.module.css";
import { YearlyPriceChart } from "./yearly-price-chart.tsx";

type Level = (typeof levels)[number];
interface Link {
  readonly label: string;
  readonly to: string;
}

/** A product file in web/site/content/products. */
export interface Product extends Level {
  readonly title: string;
  readonly heading: string;
  readonly picture: string;
  readonly retiringNote?: string;
  readonly links?: readonly Link[];
  readonly features: FeatureListProps["features"];
  readonly notIncluded: readonly string[];
  readonly healthChecks?: readonly { readonly name: string; readonly finds: string }[];
  readonly showcase: readonly { readonly title: string; readonly text: string; readonly picture: string }[];
  readonly readMore: readonly { readonly title: string; readonly html: string }[];
  readonly html: string;
}

const flagship = levels.find(({ retiring }) => !retiring);

/** Product page of one level. */
export function ProductDetails({ product }: { product: Product }) {
  const { slug, links, retiringNote, healthChecks, showcase, readMore } = product;
  const { monthly, yearly } = usePlanPrices()(slug);
  const Picture = pictureByName[product.picture];
  return (
    <>
      <PageHero
        title={product.title}
        heading={product.heading}
        lead={product.lead}
        eyebrow={
          <>
            <LevelIcon level={product} />
            <LevelLabel level={product} />
          </>
        }
        actions={links?.map((link, index) => (
          <ActionLink key={link.to} link={link} variant={index === 0 ? "filled" : "default"} />
        ))}
        note={`${formatUsd(monthly)} a month, or ${formatUsd(yearly)} a year`}
        picture={Picture && <Picture />}
      />
      <Band id="price" title={words.price} text={words.priceNote} tone="surface">
        <Split columns="auto minmax(0, 1fr)">
          <PricePair slug={slug} size="lg" />
          <YearlyPriceChart slug={slug} />
        </Split>
        {retiringNote && flagship && (
          <div className={classes.retiring}>
            <p>
              {retiringNote} {words.flagship.text}
            </p>
            <PageLinks links={[{ label: words.flagship.label, to: flagship.path }]} />
          </div>
        )}
      </Band>
      <Band id="features" title={words.features}>
        <FeatureList features={product.features} notIncluded={product.notIncluded} words={words} />
      </Band>
      {healthChecks && (
        <Band id="health-checks" title={words.checks.heading} text={words.checks.text} tone="surface">
          <HealthCheckCard checks={healthChecks} />
        </Band>
      )}
      <Band id="showcase" title={words.showcase} tone={healthChecks ? "paper" : "surface"}>
        <div className={layout.columns}>
          {showcase.map(({ title, text, picture }) => {
            const Shown = pictureByName[picture];
            return Shown && <ShowcaseFigure key={title} title={title} text={text} picture={Shown} />;
          })}
        </div>
      </Band>
      <Band id="read-more" tone={healthChecks ? "surface" : "paper"}>
        <Split columns="minmax(0, 1fr) minmax(0, 1.7fr)">
          <Prose html={product.html} className={classes.who} />
          <div className={classes.who}>
            <h2>{words.readMore}</h2>
            <Accordion
              items={readMore.map(({ title, html }, index) => ({
                id: `read-more-${index + 1}`,
                title,
                content: <Prose html={html} />,
              }))}
            />
          </div>
        </Split>
        <PageLinks
          isEnd
          links={[
            { label: words.others, to: paths.products.href() },
            ...levels.filter(({ id }) => id !== product.id).map(({ name, path }) => ({ label: name, to: path })),
          ]}
        />
      </Band>
      {links?.[0] && (
        <CallToAction title={words.call.heading} text={words.call.text} link={links[0]} variant="filled" />
      )}
    </>
  );
}

/** Table of the health checks and what each finds, styled like the add-in's card. */
function HealthCheckCard({ checks }: { checks: readonly { readonly name: string; readonly finds: string }[] }) {
  return (
    <div className={`${layout.card} ${classes.card}`}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Check</th>
            <th scope="col">What it finds</th>
          </tr>
        </thead>
        <tbody>
          {checks.map(({ name, finds }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{finds}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
