import levels from "content:levels";
import words from "content:product-words";
import { formatUsd } from "#schema/money.ts";
import { paths } from "#web/platform/paths.ts";
import { pictureByName } from "#web/site/pictures/by-name.ts";
import { ShowcaseFigure } from "#web/site/pictures/showcase-figure.tsx";
import { Band, Split } from "#web/ui/band.tsx";
import { ActionLink, CallToAction } from "#web/licensing/trials/call-to-action.tsx";
import { FramedTable } from "#web/ui/framed-table.tsx";
import layout from "#web/ui/layout.module.css";
import { PageHero } from "#web/ui/page-hero.tsx";
import { PageLinks } from "#web/ui/page-links.tsx";
import { Accordion } from "#web/ui/accordion.tsx";
import { Prose } from "#web/ui/prose.tsx";
import { LevelIcon, LevelLabel } from "#web/billing/plans/level-icon.tsx";
import { usePlanPrices } from "./plan-prices.ts";
import { OFF_SALE, PricePair } from "./price-pair.tsx";
import classes from "./product-details.module.css";
import { YearlyPriceChart } from "./yearly-price-chart.tsx";
import { createElement } from "react";
import { useParams } from "react-router-dom";
import { findPlanByProductId } from "#schema/plan-catalogue.ts";
import { type LazyPage, lazyPage } from "#web/platform/lazy-page.ts";
import NotFoundPage from "#web/ui/errors/error-404.tsx";

/** A product file in web/site/content/products. */
type Product = typeof import("content:products")["default"][number];

const flagship = levels.find(({ retiring }) => !retiring);

/** Product page of one level. */
function ProductDetails({ product }: { product: Product }) {
  const { slug, links, retiringNote, healthChecks, showcase, readMore } = product;
  const { monthly, yearly, isOnSale } = usePlanPrices()(slug);
  const Picture = pictureByName[product.picture];
  return (
    <>
      <PageHero
        content={product}
        eyebrow={
          <>
            <LevelIcon level={product} />
            <LevelLabel level={product} />
          </>
        }
        actions={links?.map((link, index) => (
          <ActionLink key={link.to} link={link} variant={index === 0 ? "filled" : "default"} />
        ))}
        note={isOnSale ? `${formatUsd(monthly)} a month, or ${formatUsd(yearly)} a year` : OFF_SALE}
        picture={Picture && <Picture />}
      />
      <Band id="price" title={words.price} text={words.priceNote} tone="surface">
        <Split columns="auto minmax(0, 1fr)">
          <PricePair slug={slug} size="lg" />
          <YearlyPriceChart slug={slug} />
        </Split>
        {retiringNote && flagship && (
          <div className={`${layout.marked} ${classes.retiring}`}>
            <p>
              {retiringNote} {words.flagship.text}
            </p>
            <PageLinks links={[{ label: words.flagship.label, to: flagship.path }]} />
          </div>
        )}
      </Band>
      <Band id="features" title={words.features}>
        <FeatureList features={product.features} notIncluded={product.notIncluded} />
      </Band>
      {healthChecks && (
        <Band id="health-checks" title={words.checks.heading} text={words.checks.text} tone="surface">
          <FramedTable
            className={classes.table}
            columns={["Check", "What it finds"]}
            rows={healthChecks.map(({ name, finds }) => [name, finds])}
          />
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

/** Lists a level's new features, the features it keeps from lower levels, and the features it doesn't include. */
function FeatureList({ features, notIncluded }: Pick<Product, "features" | "notIncluded">) {
  const missing = notIncluded.map((text) => ({ text, detail: undefined }));
  const kept = features.filter(({ highlighted }) => !highlighted);
  const lists = [
    {
      kind: "new",
      // The features of the lowest level are all new.
      title: kept.length > 0 ? words.highlighted : words.base,
      items: features.filter(({ highlighted }) => highlighted),
    },
    { kind: "kept", title: words.kept, items: kept },
    { kind: "missing", title: words.notIncluded, items: missing },
  ].filter(({ items }) => items.length > 0);
  return (
    <div className={`${layout.columns} ${classes.lists}`}>
      {lists.map(({ kind, title, items }) => (
        <div key={kind} data-kind={kind} data-long={items.length > 8 || undefined}>
          <h3>{title}</h3>
          <ul className={layout.bars}>
            {items.map(({ text, detail }) => (
              <li key={text}>
                <span>{text}</span>
                {detail && <p>{detail}</p>}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}

/** Loads the files in web/site/content/products. Each product page loads only its own file. */
const files: Record<string, () => Promise<{ default: Product }>> = {
  professional: () => import("content:products/professional"),
  plus: () => import("content:products/plus"),
  standard: () => import("content:products/standard"),
};

const pages = new Map<string, LazyPage>(
  levels.map(({ id, slug }) => [
    slug,
    lazyPage(async () => {
      const file = await files[id]?.();
      return { default: () => (file ? <ProductDetails product={file.default} /> : <NotFoundPage />) };
    }),
  ]),
);

/** Page for a product level. Accepts its slug or a price ID, case-insensitively (docs/domain.md#plans). */
export default function ProductPage() {
  const { productId = "" } = useParams();
  return createElement(pages.get(findPlanByProductId(productId)?.slug ?? "")?.Page ?? NotFoundPage);
}
