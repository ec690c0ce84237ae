import { readFileSync } from "node:fs";
import { join } from "node:path";
import { buildSandboxTable } from "../../sandbox-table.ts";
import { renderMarkdown } from "../render-markdown.ts";

/** A page of `docs/` that is also a chapter of /v1/docs. */
const WEBHOOKS = "docs/webhooks.md";

/**
 * Inserts texts from elsewhere into the chapters: `docs/webhooks.md` and the table of sandbox codes.
 * @throws {Error} if the chapters have no place for one of them
 */
export function insertIncludedTexts(root: string, chapters: string): string {
  const parts = {
    [WEBHOOKS]: () =>
      foldExamples(unlinkFiles(renderMarkdown(demoteHeadings(readFileSync(join(root, WEBHOOKS), "utf8"))))),
    "the table of sandbox codes": () => renderMarkdown(buildSandboxTable()),
  };
  return Object.entries(parts).reduce((html, [name, part]) => {
    const place = `<p>{{${name}}}</p>`;
    if (!html.includes(place)) throw new Error(`web/site/content/rest-reference.md has no place for ${name}.`);
    return html.replace(place, part);
  }, chapters);
}

/** Moves headings one level down, except lines in code blocks that look like headings. */
function demoteHeadings(markdown: string): string {
  return markdown
    .split(/(^```.*?^```$)/ms)
    .map((part) => (part.startsWith("```") ? part : part.replace(/^#/gm, "##")))
    .join("");
}

/** Keeps only the text of links to files of the repository, which the site doesn't serve. */
function unlinkFiles(html: string): string {
  return html.replace(/<a href="\.\.\/[^"]*">(.*?)<\/a>/gs, "$1");
}

/** Makes the lowest-level sections, which are examples, collapsible. */
function foldExamples(html: string): string {
  return html
    .split(/(?=<h[2-4] )/)
    .map((part) => part.replace(/^<h4 id="[^"]*">(.*?)<\/h4>([\s\S]*)$/, foldExample))
    .join("");
}

const foldExample = (_: string, title: string, body: string): string =>
  `<details><summary>${title}</summary>${body.trim()}</details>\n`;
