import { brand } from "#schema/brand.ts";

/** Returns the document title of a page, with the brand's name. */
export function titleOfDocument(title: string): string {
  return `${title} · ${brand.name}`;
}
