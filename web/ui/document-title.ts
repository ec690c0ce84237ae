import { brand } from "#schema/brand.ts";

/** The title of a page with the brand's name, as browsers and search results show it. */
export function titleOfDocument(title: string): string {
  return `${title} · ${brand.name}`;
}
