import products from "content:levels";
import content from "content:pages/products";
import { ConversionPicture } from "#web/site/pictures/conversion.tsx";
import { LevelPanels } from "./level-panel.tsx";
import { Band } from "#web/ui/band.tsx";
import { ActionLink, CallToAction } from "#web/licensing/trials/call-to-action.tsx";
import { PageHero } from "#web/ui/page-hero.tsx";
import { formatUsd } from "#schema/money.ts";
import layout from "#web/ui/layout.module.css";
import classes from "./products-page.module.css";
import { usePlanPrices } from "./plan-prices.ts";
import { OFF_SALE } from "./price-pair.tsx";

const { comparison, corporate, levels } = content;

/** Page with all levels, their features and prices, flagship first. */
export default function ProductsPage() {
  return (
    <>
      <PageHero
        content={content}
        actions={content.actions.map((link, index) => (
          <ActionLink key={link.to} link={link} variant={index === 0 ? "filled" : "default"} />
        ))}
        picture={<ConversionPicture />}
      />
      <Band id="levels" title={levels.heading} text={levels.text}>
        <LevelPanels
          cards={products.map(({ id, lead, name, path, retiring }) => ({
            product: id,
            text: lead,
            links: [...(retiring ? [] : content.subscribe), { label: `Read More about ${name}`, to: path }],
          }))}
        />
      </Band>
      <Band id="comparison" title={comparison.heading} text={comparison.text} tone="surface">
        <ComparisonTable />
      </Band>
      <CallToAction title={corporate.heading} text={corporate.text} link={corporate.link} />
    </>
  );
}

/** From the lowest level to the highest. */
const compared = comparison.levels.flatMap((name) => products.filter((level) => level.name === name));

const prices = [
  { label: "Price per month", interval: "monthly" },
  { label: "Price per year", interval: "yearly" },
] as const;

/**
 * Compares the levels' features as a schedule: each feature's bar starts at the lowest level that includes it. Cells
 * have text for screen readers.
 */
function ComparisonTable() {
  const getPrices = usePlanPrices();
  return (
    <table className={`${layout.framed} ${layout.table} ${classes.table}`}>
      <thead>
        <tr>
          <th scope="col">{comparison.what}</th>
          {compared.map(({ id, name, label }) => (
            <th key={id} scope="col">
              {name} <span className={classes.note}>{label}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {comparison.rows.map(({ what, from }) => {
          const first = compared.findIndex(({ id }) => id === from);
          return (
            <tr key={what}>
              <th scope="row">{what}</th>
              {compared.map(({ id }, index) => (
                <td key={id} data-level={index < first ? undefined : from} data-start={index === first || undefined}>
                  <span className={layout.hidden}>{index < first ? "Not included" : "Included"}</span>
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
      <tfoot>
        {prices.map(({ label, interval }) => (
          <tr key={interval}>
            <th scope="row">{label}</th>
            {compared.map(({ id, slug }) => {
              const price = getPrices(slug);
              return <td key={id}>{price.isOnSale ? formatUsd(price[interval]) : OFF_SALE}</td>;
            })}
          </tr>
        ))}
      </tfoot>
    </table>
  );
}
