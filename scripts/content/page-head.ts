import { brand } from "#schema/brand.ts";
import { formatDocumentTitle } from "#web/platform/document-title.ts";

/** Metadata of a page for search engines and link previews. `path` begins and ends with a slash. */
export interface PageHead {
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly noIndex: boolean;
}

/** Placeholder for the site's URL, which only the server knows. */
export const PUBLIC_URL = "%PUBLIC_URL%";

/** Returns the page-specific tags of a page's `head`. */
export function buildHeadTags({ path, title, description, noIndex }: PageHead): string {
  const url = `${PUBLIC_URL}${path}`;
  const picture = `${PUBLIC_URL}/media/open-graph.png`;
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

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
