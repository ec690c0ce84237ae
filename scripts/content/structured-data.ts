import { brand } from "#schema/brand.ts";
import { planCatalogue } from "#schema/plan-catalogue.ts";
import type { ContentFields, ContentValue } from "./read-content.ts";
import { SITE } from "./rest-reference/code-samples.ts";
import { escapeHtml } from "./rest-reference/html.ts";
import { formatDocumentTitle } from "#web/platform/document-title.ts";

/** Metadata of a page for search engines and link previews. `path` begins and ends with a slash. */
export interface PageHead {
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly noIndex: boolean;
}

/** Returns the page-specific tags of a page's `head`. */
export function buildHeadTags({ path, title, description, noIndex }: PageHead): string {
  const url = `${SITE}${path}`;
  const picture = `${SITE}/media/open-graph.png`;
  const meta = (key: "name" | "property", name: string, content: string) =>
    `<meta ${key}="${name}" content="${escapeHtml(content)}" />`;
  return [
    `<title>${escapeHtml(formatDocumentTitle(title))}</title>`,
    meta("name", "description", description),
    noIndex ? meta("name", "robots", "noindex") : `<link rel="canonical" href="${url}" />`,
    meta("property", "og:type", "website"),
    meta("property", "og:site_name", brand.name),
    meta("property", "og:locale", "en_AU"),
    meta("property", "og:title", title),
    meta("property", "og:description", description),
    meta("property", "og:url", url),
    meta("property", "og:image", picture),
    meta("property", "og:image:width", "1200"),
    meta("property", "og:image:height", "630"),
    meta("name", "twitter:card", "summary_large_image"),
  ].join("\n    ");
}

/** An object in the vocabulary of https://schema.org. */
type Thing = Readonly<Record<string, unknown>>;

const buildOrganisation = (): Thing => ({
  "@type": "Organization",
  "@id": `${SITE}/#organisation`,
  name: brand.name,
  legalName: brand.company.legalName,
  url: `${SITE}/`,
  logo: `${SITE}/media/logo.png`,
  address: brand.company.address,
  taxID: `ABN ${brand.company.abn}`,
  sameAs: [brand.networkUrl, brand.videoSiteUrl],
  contactPoint: Object.values(brand.mailboxes).map(({ label, email }) => ({
    "@type": "ContactPoint",
    contactType: label,
    email,
  })),
});

/**
 * Returns the JSON-LD of a page: the organisation on every page, offers in US dollars on product pages, and the questions on
 * the FAQ page.
 */
export function buildStructuredData(head: PageHead, content: ReadonlyMap<string, ContentValue>): string {
  const things: Thing[] = [buildOrganisation()];
  if (head.path === "/") things.push({ "@type": "WebSite", name: brand.name, url: `${SITE}/`, inLanguage: "en-AU" });
  else things.push(buildBreadcrumbs(head));
  const products = content.get("products") as readonly ContentFields[];
  const shown = head.path === "/product/" ? products : products.filter(({ path }) => path === head.path);
  things.push(...shown.map(buildProduct));
  if (head.path === "/faqs/") things.push(buildFaqPage(content.get("faqs") as readonly ContentFields[]));
  // A closing tag in a text would end the script element.
  return JSON.stringify({ "@context": "https://schema.org", "@graph": things }).replaceAll("<", "\\u003c");
}

function buildProduct({ slug, heading, description, path }: ContentFields): Thing {
  // The catalogue has the built-in segment, and the content of a build a placeholder.
  const level = typeof slug === "string" ? slug.split("-").at(-1) : undefined;
  const plan = planCatalogue.find((one) => one.slug.endsWith(`-${level}`));
  if (!plan) throw new Error(`web/site/content/products has ${JSON.stringify(slug)}, which the plan catalogue lacks.`);
  const offer = (cents: number, unit: "MON" | "ANN") => ({
    "@type": "Offer",
    price: (cents / 100).toFixed(2),
    priceCurrency: "USD",
    availability: "https://schema.org/InStock",
    url: `${SITE}/trial-and-subscribe/`,
    priceSpecification: {
      "@type": "UnitPriceSpecification",
      price: (cents / 100).toFixed(2),
      priceCurrency: "USD",
      unitCode: unit,
      valueAddedTaxIncluded: false,
    },
  });
  return {
    "@type": ["SoftwareApplication", "Product"],
    name: heading,
    description,
    url: `${SITE}${path as string}`,
    image: `${SITE}/media/open-graph.png`,
    applicationCategory: "BusinessApplication",
    operatingSystem: "Windows",
    brand: { "@type": "Brand", name: brand.productName },
    manufacturer: { "@id": `${SITE}/#organisation` },
    offers: [offer(plan.prices.monthly.usdCents, "MON"), offer(plan.prices.yearly.usdCents, "ANN")],
  };
}

function buildFaqPage(faqs: readonly ContentFields[]): Thing {
  return {
    "@type": "FAQPage",
    mainEntity: faqs
      .filter(({ show }) => show === true)
      .map(({ title, html }) => ({
        "@type": "Question",
        name: title,
        acceptedAnswer: { "@type": "Answer", text: html },
      })),
  };
}

function buildBreadcrumbs({ path, title }: PageHead): Thing {
  return {
    "@type": "BreadcrumbList",
    itemListElement: [
      { "@type": "ListItem", position: 1, name: brand.name, item: `${SITE}/` },
      { "@type": "ListItem", position: 2, name: title, item: `${SITE}${path}` },
    ],
  };
}
