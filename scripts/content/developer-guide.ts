import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Html, html } from "./rest-reference/html.ts";
import { renderMarkdown } from "./render-markdown.ts";

/** Pages of `docs/` in the guide. The anchors of all but the first start with `id`, so that none occurs twice. */
const parts = [
  { id: "add-in", title: "Add-in", file: "docs/addin.md" },
  { id: "webhooks", title: "Webhooks", file: "docs/webhooks.md" },
  { id: "graphql", title: "GraphQL", file: "docs/graphql.md" },
] as const;

/** Links of the documents that lead elsewhere on the site. */
const links: Readonly<Record<string, string>> = {
  "../schema/schema.graphql": "/schema.graphql",
  "../web/site/playground/examples": "/playground/",
  "LicenceClient.cs": "#licence-client",
};

interface Section {
  readonly id: string;
  readonly title: string;
  /** True for a part of the section before it. */
  readonly isNested: boolean;
}

/**
 * Renders the content of the page at /docs below its header: an index with a search box, and the texts of `docs/` for
 * developers. The server replaces `%PUBLIC_URL%` by its own address.
 */
export function renderDeveloperGuide(root: string): string {
  const chapters = parts.map((part, index) => {
    const text = readFileSync(join(root, part.file), "utf8");
    return { ...part, html: renderPart(text, index === 0 ? "" : `${part.id}-`) };
  });
  const client = readFileSync(join(root, "docs/LicenceClient.cs"), "utf8");
  return html`<nav class="index" aria-label="Contents">
    <div class="index-head">
      <div class="find" role="search">
        <label for="reference-search">Search</label>
        <input id="reference-search" type="search" placeholder="activate, seats, retry…" autocomplete="off" spellcheck="false" enterkeyhint="search" />
      </div>
      <button type="button" class="index-toggle" aria-expanded="false" aria-controls="reference-index">Contents</button>
    </div>
    <p class="found" role="status"></p>
    <div class="index-list" id="reference-index">
      ${chapters.map(
        (
          chapter,
          index,
        ) => html`<details data-group="${chapter.id}"${new Html(index === 0 ? " open" : "")}><summary>${chapter.title}</summary>
        <ul>${findSections(chapter.html).map(
          ({ id, title, isNested }) =>
            html`<li><a href="#${id}"${new Html(isNested ? ' class="nested"' : "")}>${new Html(title)}</a></li>`,
        )}</ul></details>`,
      )}
    </div>
  </nav>
  <div class="reference-body">
    ${chapters.map((chapter) => new Html(chapter.html.replace("{{client}}", () => renderClient(client))))}
  </div>`.text;
}

/**
 * Renders one document as chapters. The first starts with the quickstart; the text above it is for readers of the
 * repository.
 */
function renderPart(markdown: string, prefix: string): string {
  const start = prefix ? 0 : markdown.indexOf("\n## ") + 1;
  const body = markdown.slice(start).replaceAll("http://localhost:4000", "%PUBLIC_URL%");
  return renderMarkdown(prefix ? body : `${body.trimEnd()}\n\n{{client}}\n`)
    .replace(/<(h[23]) id="([^"]+)"/g, (_, tag: string, id: string) => {
      // A document's title isn't prefixed with itself.
      const anchor = prefix && `${id}-`.startsWith(prefix) ? id : `${prefix}${id}`;
      return `<${tag} id="${anchor}"`;
    })
    .replace(/href="([^"]+)"/g, (_, href: string) => {
      if (href.startsWith("#")) return `href="#${prefix}${href.slice(1)}"`;
      return `href="${links[href] ?? href}"`;
    })
    .replace("<p>{{client}}</p>", "{{client}}")
    .replace(/<pre><code[^>]*>([\s\S]*?)<\/code><\/pre>/g, (_, code: string) => renderCode(code))
    .split(/(?=<h2 )/)
    .map((text) => `<section class="chapter">${text.trim()}</section>`)
    .join("\n");
}

function findSections(text: string): Section[] {
  return Array.from(text.matchAll(/<h([23]) id="([^"]+)">(.*?)<\/h\1>/g), ([, level, id = "", title = ""]) => ({
    id,
    title: title.replace(/<[^>]+>/g, ""),
    isNested: level === "3",
  }));
}

/** Renders an example with a copy button. `code` is already escaped. */
function renderCode(code: string, label = "Example"): string {
  return html`<div class="code" data-night><div class="code-bar"><span>${label}</span><button type="button" class="copy" aria-label="Copy the example">Copy</button></div>
    <pre tabindex="0" role="group" aria-label="${label}">${new Html(code.trimEnd())}</pre></div>`.text;
}

function renderClient(code: string): string {
  const escaped = html`${code}`.text;
  return `<div id="licence-client">${renderCode(escaped, "LicenceClient.cs")}</div>`;
}
