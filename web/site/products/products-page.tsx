import products from "content:levels";
import content from "content:pages/products";
import { ConversionPicture } from "#web/site/pictures/conversion.tsx";
import { ComparisonTable } from "./comparison-table.tsx";
import { LevelPanels } from "./level-panel.tsx";
import { ActionLink } from "#web/licensing/trials/action-link.tsx";
import { Band } from "#web/ui/band.tsx";
import { CallToAction } from "#web/licensing/trials/call-to-action.tsx";
import { PageHero } from "#web/ui/page-hero.tsx";

const { comparison, corporate, levels } = content;

/** Page with all levels, their features and prices, flagship first. */
export default function ProductsPage() {
  return (
    <>
      <PageHero
        title={content.title}
        heading={content.heading}
        lead={content.lead}
        actions={content.actions.map((link, index) => (
          <ActionLink key={link.to} link={link} variant={index === 0 ? "filled" : "default"} />
        ))}
        picture={<ConversionPicture />}
      />
      <Band id="levels" title={levels.heading} text={levels.text}>
        <LevelPanels
          panels={products.map((level) => ({
            level,
            text: level.lead,
            adds: level.adds,
            links: [
              ...(level.retiring ? [] : content.subscribe),
              { label: `Read More about ${level.name}`, to: level.path },
            ],
          }))}
        />
      </Band>
      <Band id="comparison" title={comparison.heading} text={comparison.text} tone="surface">
        <ComparisonTable
          heading={comparison.what}
          rows={comparison.rows}
          levels={comparison.levels.flatMap((name) => products.filter((level) => level.name === name))}
        />
      </Band>
      <CallToAction title={corporate.heading} text={corporate.text} link={corporate.link} />
    </>
  );
}
