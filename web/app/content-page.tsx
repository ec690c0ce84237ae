import lookup from "content:lookup";
import { createElement } from "react";
import { useLocation } from "react-router-dom";
import { type LazyPage, lazyPage } from "#web/platform/lazy-page.ts";
import NotFoundPage from "#web/ui/errors/error-404.tsx";
import { namedContent, toContentName } from "./routes.ts";
import { Prose } from "#web/ui/prose.tsx";
import { Band } from "#web/ui/band.tsx";
import { BarSteps } from "#web/ui/bar-steps.tsx";
import { PageHero } from "#web/ui/page-hero.tsx";
import { PageLinks } from "#web/ui/page-links.tsx";
import classes from "./content-page.module.css";
import { PromoBox, type PromoBoxProps } from "#web/licensing/trials/promo-box.tsx";

const pages = new Map<string, LazyPage>([
  ...Object.entries(lookup).map(([name, load]): [string, LazyPage] => [
    name,
    lazyPage(async () => {
      const { default: content } = await load();
      return { default: () => <PlainPage content={content as unknown as PlainPageContent} /> };
    }),
  ]),
  ...namedContent,
]);

/**
 * Page for every address without a route. Looks up the content page by name. Most are plain pages; those in
 * `namedContent` have their own layout.
 */
export default function ContentPage() {
  const { pathname } = useLocation();
  return createElement(pages.get(toContentName(pathname))?.Page ?? NotFoundPage);
}

/** Fields of a content page (web/site/content/README.md). */
interface PlainPageContent {
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
function PlainPage({ content }: { content: PlainPageContent }) {
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
