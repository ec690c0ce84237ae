import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { type GuideTopic, guideTopics } from "./guide-topics.ts";
import { Html, html, renderIndexFrame } from "./rest-reference/html.ts";
import { renderMarkdown } from "./render-markdown.ts";

/** Links of the documents that lead elsewhere on the site. */
const links: Readonly<Record<string, string>> = {
  "schema/schema.graphql": "/schema.graphql",
  "web/site/playground/examples.gql": "/playground/",
};

/** A rendered page of the guide. */
export interface GuidePage {
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly html: string;
  /** Markdown of the page, for language models. Links are absolute. */
  readonly markdown: string;
}

interface Section {
  readonly id: string;
  readonly title: string;
  /** True for a part of the section before it. */
  readonly isNested: boolean;
  /** Identifiers in its text, which the search of other pages finds. */
  readonly words: string;
}

const getPath = ({ id }: GuideTopic) => (id ? `/docs/${id}/` : "/docs/");
const getMarkdownPath = ({ id }: GuideTopic) => `/docs/${id || "quickstart"}.md`;

/**
 * Renders the pages below `/docs/`: each has an index of all pages with a search box, and the texts of `docs/` for its topic.
 * The server replaces `%PUBLIC_URL%` by its own address.
 */
export function renderDeveloperGuide(root: string): GuidePage[] {
  const chapters = guideTopics.map((topic) => ({
    topic,
    texts: topic.parts.map((part) => readPart(root, topic, part)),
  }));
  const places = findPlaces(chapters);
  const rendered = chapters.map(({ topic, texts }) => {
    const parts = texts.map(({ file, text }) => renderPart(text, (href) => resolveLink(places, topic, file, href)));
    const body = numberRepeatedAnchors(parts.join("\n"));
    return { topic, texts, html: body, sections: findSections(body) };
  });
  return rendered.map(({ topic, texts, html: body }) => ({
    path: getPath(topic),
    title: topic.id ? topic.title : "Developer Guide",
    description: topic.description,
    html: html`${renderIndex(rendered, topic)}
  <div class="reference-body">
    ${new Html(topic.id ? body : `${renderOverview()}\n${body}`)}
  </div>`.text,
    markdown: `${texts
      .map(({ file, text }) =>
        text.replace(/\[([^\]]*)\]\(([^)\s]+)\)/g, (_, words: string, href: string) => {
          const target = resolveLink(places, null, file, href);
          if (target === null) return words;
          return `[${words}](${target.startsWith("/") ? `%PUBLIC_URL%${toMarkdownLink(target)}` : target})`;
        }),
      )
      .join("\n\n")
      .trim()}\n`,
  }));
}

/** Returns the texts for language models (https://llmstxt.org) and the Markdown of each page, by address. */
export function renderGuideTexts(pages: readonly GuidePage[], name: string): Record<string, string> {
  const list = guideTopics.map(
    (topic) => `- [${topic.title}](%PUBLIC_URL%${getMarkdownPath(topic)}): ${topic.description}`,
  );
  const index = `# ${name} developer guide

> Licences for an add-in: activation, checks, seats, usage, offline files, updates, webhooks and GraphQL.

## Guide

${list.join("\n")}

## Contracts

- [OpenAPI](%PUBLIC_URL%/v1/openapi.json): the REST API
- [GraphQL schema](%PUBLIC_URL%/schema.graphql): the GraphQL API
`;
  return Object.fromEntries([
    ["/llms.txt", index],
    ["/llms-full.txt", pages.map(({ markdown }) => markdown).join("\n")],
    ...guideTopics.map((topic, index) => [getMarkdownPath(topic), pages[index]?.markdown ?? ""]),
  ]);
}

function toMarkdownLink(path: string): string {
  const topic = guideTopics.find((one) => getPath(one) === path.split("#")[0]);
  return topic ? getMarkdownPath(topic) : path;
}

/** Reads the chosen sections of a document, or all of it without its title. */
function readPart(root: string, topic: GuideTopic, { file, sections }: GuideTopic["parts"][number]) {
  const [intro = "", ...chapters] = readFileSync(join(root, file), "utf8").split(/^(?=## )/m);
  const named = (name: string) => {
    const found = chapters.find((chapter) => chapter.startsWith(`## ${name}\n`));
    if (!found) throw new Error(`${file} has no section called ${name}, which the guide's page ${topic.id} shows.`);
    return found;
  };
  // Staff and customers have release notes of their own.
  const chosen = file === "CHANGELOG.md" ? chapters.map(keepForIntegrators) : sections?.map(named);
  const text = chosen?.join("") ?? [intro.replace(/^# (.*)/, "## $1"), ...chapters].join("");
  return { file, text: text.replaceAll("http://localhost:4000", "%PUBLIC_URL%") };
}

/** Returns what a version of the changelog has for integrators. Empty if that is nothing. */
function keepForIntegrators(text: string): string {
  const [title = ""] = text.split("\n");
  const lists = Array.from(
    text.matchAll(/^(### .*)\n|^For integrators:\n\n((?:- .*\n|  .*\n)+)/gm),
    ([, kind, list]) => (kind ? `${kind}\n` : (list ?? "")),
  );
  const kept = lists.filter(
    (part, index) => !part.startsWith("### ") || !(lists[index + 1] ?? "### ").startsWith("### "),
  );
  return kept.length > 0 ? `${title}\n\n${kept.join("\n")}\n` : "";
}

type Places = ReadonlyMap<string, string>;

/** Returns the address of each heading and document, by `file#anchor` and `file`. */
function findPlaces(
  chapters: readonly { topic: GuideTopic; texts: readonly { file: string; text: string }[] }[],
): Places {
  const places = new Map<string, string>();
  for (const { topic, texts } of chapters)
    for (const { file, text } of texts) {
      if (!places.has(file)) places.set(file, getPath(topic));
      for (const { id } of findSections(renderMarkdown(text))) places.set(`${file}#${id}`, `${getPath(topic)}#${id}`);
    }
  return places;
}

/**
 * Returns where a link of a document leads on the site. Links within `topic` have only an anchor. Null for a file that the
 * site doesn't serve.
 */
function resolveLink(places: Places, topic: GuideTopic | null, file: string, href: string): string | null {
  if (/^(https?:|mailto:|\/|%PUBLIC_URL%)/.test(href)) return href.replace(/^%PUBLIC_URL%(?=\/)/, "");
  const [path = "", anchor] = href.split("#");
  const target = path ? posix.join(posix.dirname(file), path) : file;
  const found = places.get(anchor ? `${target}#${anchor}` : target) ?? places.get(target) ?? links[target];
  if (!found) return null;
  const [page = "", id] = found.split("#");
  return topic && page === getPath(topic) && id ? `#${id}` : found;
}

function renderPart(markdown: string, resolve: (href: string) => string | null): string {
  return renderMarkdown(markdown)
    .replace(/<a href="([^"]+)">(.*?)<\/a>/gs, (_, href: string, words: string) => {
      const target = resolve(href);
      return target === null ? words : `<a href="${target}">${words}</a>`;
    })
    .replace(/<pre><code[^>]*>([\s\S]*?)<\/code><\/pre>/g, (_, code: string) => renderCode(code))
    .split(/(?=<h2 )/)
    .map((text) => `<section class="chapter">${text.trim()}</section>`)
    .join("\n");
}

/** Gives the second heading with the same words its number, as GitHub does. */
function numberRepeatedAnchors(text: string): string {
  const counts = new Map<string, number>();
  return text.replace(/<(h[23]) id="([^"]+)"/g, (_, tag: string, id: string) => {
    const count = counts.get(id) ?? 0;
    counts.set(id, count + 1);
    return `<${tag} id="${id}${count > 0 ? `-${count}` : ""}"`;
  });
}

function findSections(text: string): Section[] {
  return text.split(/(?=<h[23] )/).flatMap((part) => {
    const [, level, id = "", title = ""] = /^<h([23]) id="([^"]+)">(.*?)<\/h\1>/.exec(part) ?? [];
    if (!level) return [];
    const words = Array.from(part.matchAll(/<code>(.*?)<\/code>/g), ([, code = ""]) => code.replace(/<[^>]+>/g, ""));
    return [
      {
        id,
        title: title.replace(/<[^>]+>/g, ""),
        isNested: level === "3",
        words: [...new Set(words)].filter((word) => !word.includes("&")).join(" "),
      },
    ];
  });
}

/** Renders the index: every page with its sections, those of the current page open. */
function renderIndex(pages: readonly { topic: GuideTopic; sections: readonly Section[] }[], current: GuideTopic): Html {
  const list = pages.map(
    ({
      topic,
      sections,
    }) => html`<details data-group="${topic.title}"${new Html(topic === current ? " open" : "")}><summary>${topic.title}</summary>
    <ul>${sections.map(
      ({ id, title, isNested, words }) =>
        html`<li><a href="${topic === current ? "" : getPath(topic)}#${id}"${new Html(isNested ? ' class="nested"' : "")} data-words="${topic === current ? "" : new Html(words)}">${new Html(title)}</a></li>`,
    )}</ul></details>`,
  );
  return renderIndexFrame("activate, seats, retry…", "Contents", list);
}

function renderOverview(): string {
  const rows = guideTopics
    .filter(({ id }) => id)
    .map((topic) => html`<li><a href="${getPath(topic)}">${topic.title}</a>: ${topic.description}</li>`);
  return html`<section class="chapter"><h2 id="topics">Topics</h2><ul>${rows}</ul>
    <p>For language models: <a href="/llms.txt">llms.txt</a>. Each page is also Markdown, such as <a href="/docs/proofs.md">proofs.md</a>.</p></section>`
    .text;
}

/** Renders an example with a copy button. `code` is already escaped. */
function renderCode(code: string): string {
  return html`<div class="code" data-night><div class="code-bar"><span>Example</span><button type="button" class="copy" aria-label="Copy the example">Copy</button></div>
    <pre tabindex="0" role="group" aria-label="Example">${new Html(code.trimEnd())}</pre></div>`.text;
}
