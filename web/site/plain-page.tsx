import { Prose } from "#web/ui/prose.tsx";
import { Band } from "#web/ui/band.tsx";
import { BarSteps } from "#web/ui/bar-steps.tsx";
import { PageHero } from "#web/ui/page-hero.tsx";
import { PageLinks } from "#web/ui/page-links.tsx";
import classes from "./plain-page.module.css";
import { PromoBox, type PromoBoxProps } from "#web/licensing/trials/promo-box.tsx";

/** Fields of a content page (web/site/content/README.md). */
export interface PlainPageContent {
  readonly title: string;
  readonly heading: string;
  readonly lead?: string;
  readonly html: string;
  readonly promo?: PromoBoxProps;
  /** Heading of the steps. */
  readonly stepsHeading?: string;
  readonly steps?: readonly { readonly title: string; readonly text: string }[];
  readonly links?: readonly { readonly label: string; readonly to: string }[];
}

/** Default layout of a content page: head, promo box, steps, text and links. */
export function PlainPage({ content }: { content: PlainPageContent }) {
  const { html, promo, stepsHeading, steps, links } = content;
  return (
    <>
      <PageHero content={content} picture={promo && <PromoBox {...promo} />} />
      {steps && (
        <Band id="steps" title={stepsHeading} tone="surface">
          <BarSteps steps={steps} />
        </Band>
      )}
      <Band id="text">
        <Prose html={html} className={classes.text} />
        {links && <PageLinks links={links} />}
      </Band>
    </>
  );
}
