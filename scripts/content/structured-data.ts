import { brand } from "#schema/brand.ts";
import { planCatalogue } from "#schema/plan-catalogue.ts";
import { PUBLIC_URL, type PageHead } from "./page-head.ts";
import type { ContentFields, ContentValue } from "./read-content.ts";

/** An object in the vocabulary of https://schema.org. */
type Thing = Readonly<Record<string, unknown>>;

const buildOrganisation = (): Thing => ({
  "@type": "Organization",
  "@id": `${PUBLIC_URL}/#organisation`,
  name: brand.name,
  legalName: brand.company.legalName,
  url: `${PUBLIC_URL}/`,
  logo: `${PUBLIC_URL}/media/logo.png`,
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
  if (head.path === "/")
    things.push({ "@type": "WebSite", name: brand.name, url: `${PUBLIC_URL}/`, inLanguage: "en-AU" });
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
    url: `${PUBLIC_URL}/trial-and-subscribe/`,
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
    url: `${PUBLIC_URL}${path as string}`,
    image: `${PUBLIC_URL}/media/open-graph.png`,
    applicationCategory: "BusinessApplication",
    operatingSystem: "Windows",
    brand: { "@type": "Brand", name: brand.productName },
    manufacturer: { "@id": `${PUBLIC_URL}/#organisation` },
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
      { "@type": "ListItem", position: 1, name: brand.name, item: `${PUBLIC_URL}/` },
      { "@type": "ListItem", position: 2, name: title, item: `${PUBLIC_URL}${path}` },
    ],
  };
}
