import { brand } from "#schema/brand.ts";

/** Returns the document title of a page, with the brand's name. */
export function formatDocumentTitle(title: string): string {
  return `${title} · ${brand.name}`;
}
