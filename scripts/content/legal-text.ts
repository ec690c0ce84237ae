import { renderMarkdown } from "./render-markdown.ts";

/** A clause in a table of contents. `id` is its permanent anchor, such as `clause-7`. */
export type Clause = { readonly id: string; readonly number: string; readonly title: string };

const HEADING = /<h2 id="[^"]*">(\d+)\. (.*?)<\/h2>/g;
const SUBCLAUSE = /<p>(\d+\.\d+) /g;
const LETTER = /<li>(\([a-z]\)) /g;
const REFERENCE = /\bclauses?\s+\d+(?:\.\d+)?(?:(?:,| or| and|, or|, and)\s+\d+(?:\.\d+)?)*/gi;

/**
 * Renders a legal text as HTML. Numbers and letters are separate elements, clauses have anchors that don't depend on their
 * titles, and references to clauses are links. `level` is the level of the headings.
 */
export function renderLegalText(markdown: string, level = 2): string {
  return renderMarkdown(markdown)
    .replace(REFERENCE, (words) =>
      words.replace(/\d+(?:\.\d+)?/g, (number) => `<a href="#clause-${number}">${number}</a>`),
    )
    .replace(HEADING, `<h${level} id="clause-$1"><span class="number">$1. </span>$2</h${level}>`)
    .replace(SUBCLAUSE, '<p id="clause-$1" class="clause"><span class="number">$1 </span>')
    .replace(LETTER, '<li><span class="letter">$1 </span>');
}

/** Returns the clauses of a rendered legal text. */
export function findClauses(html: string): Clause[] {
  return [...html.matchAll(/<h\d id="(clause-\d+)"><span class="number">(\d+)\. <\/span>(.*?)<\/h\d>/g)].map(
    ([, id = "", number = "", title = ""]) => ({
      id,
      number,
      title: title.replaceAll("&amp;", "&").replaceAll("&#39;", "'"),
    }),
  );
}
