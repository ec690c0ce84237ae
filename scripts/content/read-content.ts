/** Reads `web/site/content`: Markdown files with YAML front matter. Replaces brand tokens and renders the bodies as HTML. */
import process from "node:process";
import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { parse } from "yaml";
import { brand } from "#schema/brand.ts";
import { renderDeveloperGuide } from "./developer-guide.ts";
import { listHelpSections, toText } from "./help-sections.ts";
import { renderMarkdown } from "./render-markdown.ts";
import { buildAddInStates, findMessages } from "./result-messages.ts";
import { insertIncludedTexts } from "./rest-reference/chapters.ts";
import { loadReference, renderReference } from "./rest-reference/render-reference.ts";
import { buildSample } from "./sample-schedule/build-sample.ts";

/** A value of the front matter, or the HTML of a body. */
export type ContentValue = string | number | boolean | null | readonly ContentValue[] | ContentFields;

/** The fields of one file. `html` is its rendered body; a front matter field called `body` is also rendered as HTML. */
export interface ContentFields {
  readonly [field: string]: ContentValue;
}

/** Folders whose files form one list, sorted by `order`, and then in the order of the files. */
const lists: readonly string[] = ["faqs", "tutorials", "products", "articles"];

/** Fields of a product that pages listing all levels need. */
const levelFields = ["id", "name", "slug", "path", "logo", "retiring", "label", "lead", "adds"] as const;

/** Folder of the content, relative to the repository's root. */
export const contentFolder = "web/site/content";

/**
 * Reads all content by module name: `home`, `pages/news`, `legals/privacy-policy`. `faqs`, `tutorials` and `products`
 * are lists whose entries have an `id`: their `anchor`, or the file's name. Each product is also a module, such as
 * `products/plus`, and `levels` contains the fields of every product that pages listing all levels need. `support-faqs`
 * contains the FAQs on the support page, `rest-reference` the chapters and calls of the REST
 * reference, `developer-guide` the pages below `/docs/`, `guide-topics` their titles, and `sample-schedule` what the two
 * files of the sample conversion contain. `articles` are those of the knowledge base, `article-heads` the same without
 * their texts, and `help-sections` what the search of the knowledge base finds.
 *
 * Without samples, entries and fields with `sample: true` are left out.
 * @throws {Error} with the name of the file
 */
export function readContent(
  root: string,
  hasSamples = process.env.SAMPLES !== "off",
): ReadonlyMap<string, ContentValue> {
  const files = markdownFiles(join(root, contentFolder), "").filter((file) => file !== "README.md");
  const content = new Map<string, ContentValue>();
  for (const file of files) {
    const name = file.replace(/\.md$/, "");
    const [folder = ""] = name.split("/");
    const entries = readFile(join(root, contentFolder, file)).map((fields) =>
      hasSamples ? fields : (withoutSamples(fields) as ContentFields),
    );
    if (lists.includes(folder))
      content.set(folder, [
        ...((content.get(folder) as ContentFields[] | undefined) ?? []),
        ...entries.map(({ anchor = posix.basename(name), ...fields }) => ({ id: anchor, ...fields })),
      ]);
    else for (const fields of entries) content.set(name, fields);
  }
  for (const list of lists)
    content.set(
      list,
      ((content.get(list) ?? []) as ContentFields[]).toSorted((a, b) => Number(a.order ?? 0) - Number(b.order ?? 0)),
    );
  const products = content.get("products") as ContentFields[];
  for (const product of products) if (typeof product.id === "string") content.set(`products/${product.id}`, product);
  content.set(
    "levels",
    products.map((product) => Object.fromEntries(levelFields.map((field) => [field, product[field] ?? null]))),
  );
  const faqs = content.get("faqs") as ContentFields[];
  // A separate module, so that the support page doesn't load all FAQs.
  content.set(
    "support-faqs",
    faqs.filter(({ show, showOnSupportPage }) => show && showOnSupportPage),
  );
  const chapters = content.get("rest-reference") as ContentFields;
  content.set("rest-reference", {
    ...chapters,
    html: renderReference(loadReference(root), insertIncludedTexts(root, toText(chapters.html))),
  });
  const sample = buildSample(root);
  content.set("sample-schedule", sample as unknown as ContentFields);
  content.set("sample-summary", sample.summary);
  content.set("add-in-states", buildAddInStates(content.get("pages/add-in") as ContentFields));
  const articles = (content.get("articles") as ContentFields[]).map((article) =>
    completeArticle(article, content.get("pages/knowledge-base") as ContentFields),
  );
  content.set("articles", articles);
  content.set(
    "article-heads",
    articles.map(({ html: _html, ...fields }) => ({ pageName: "", noIndex: false, ...fields })),
  );
  content.set("help-sections", listHelpSections(content));
  const guide = renderDeveloperGuide(root);
  content.set(
    "developer-guide",
    guide.map(({ path, html }) => ({ path, html })),
  );
  content.set(
    "guide-topics",
    guide.map(({ path, title, description }) => ({ path, title, description, pageName: "", noIndex: false })),
  );
  content.set("heads", collectHeads(content));
  addModulesWithoutTexts(content);
  return content;
}

/** Adds an article's address and the messages of the result codes it is about. */
function completeArticle(article: ContentFields, { path: base }: ContentFields): ContentFields {
  const path = `${toText(base)}${toText(article.id)}/`;
  const messages = findMessages(toText(article.id));
  return { ...article, path, messages };
}

function withoutSamples(value: ContentValue): ContentValue {
  if (Array.isArray(value))
    return (value as ContentValue[]).filter((one) => !isSample(one)).map((one) => withoutSamples(one));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([field, part]) => (isSample(part) ? [] : [[field, withoutSamples(part)]])),
  );
}

const isSample = (value: ContentValue): boolean => (value as { sample?: unknown } | null)?.sample === true;

/**
 * Adds modules without the long texts that prerendered HTML already contains: `legal-heads/NAME` with the clauses'
 * titles, `faq-questions` and `tutorial-heads`. The texts load only when a page is opened without its HTML.
 */
function addModulesWithoutTexts(content: Map<string, ContentValue>): void {
  for (const [name, value] of [...content].filter(([key]) => key.startsWith("legals/"))) {
    const { html, ...fields } = value as ContentFields;
    content.set(name.replace("legals/", "legal-heads/"), { ...fields, contents: findClauses(toText(html)) });
  }
  for (const [list, heads] of [
    ["faqs", "faq-questions"],
    ["tutorials", "tutorial-heads"],
  ] as const)
    content.set(
      heads,
      (content.get(list) as ContentFields[]).map(({ html: _html, ...fields }) => fields),
    );
}

/** Returns the path, title and description of every page with a content file, sorted by path. */
function collectHeads(content: ReadonlyMap<string, ContentValue>): ContentFields[] {
  const heads = new Map<string, ContentFields>();
  const named = [...content].filter(([name]) => name === "home" || /^(pages|legals)\//.test(name));
  const lists = ["products", "guide-topics", "article-heads"].flatMap((name) => content.get(name) as ContentFields[]);
  for (const fields of [...named.map(([, value]) => value), ...lists]) {
    const { path, title, description, pageName = "", noIndex = false } = fields as ContentFields;
    if (typeof path !== "string" || heads.has(path)) continue;
    if (typeof title !== "string" || typeof description !== "string")
      throw new Error(`The page at ${path} in ${contentFolder} lacks a title or a description.`);
    heads.set(path, { path, title, description, pageName, noIndex });
  }
  return [...heads].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, head]) => head);
}

/** Front matter and the text below it, up to the next front matter. */
const PART = /^---\n([\s\S]*?)\n---\n([\s\S]*?)(?=^---\n|(?![\s\S]))/gm;

/**
 * Reads the front matter and the Markdown of a file and replaces brand tokens. A file of several entries has a front matter
 * for each, below one with the fields that they share.
 * @throws {Error} with the name of the file
 */
export function readMarkdown(path: string): readonly { fields: ContentFields; body: string }[] {
  try {
    const parts = Array.from(replaceTokens(readFileSync(path, "utf8")).matchAll(PART), ([, front = "", body = ""]) => ({
      fields: parse(front) as ContentFields,
      body,
    }));
    const [first, ...entries] = parts;
    if (!first) throw new Error("it has no front matter");
    if (entries.length === 0) return parts;
    return entries.map(({ fields, body }) => ({ fields: { ...first.fields, ...fields }, body }));
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

function readFile(path: string): ContentFields[] {
  const isLegal = /[\\/]legals[\\/]/.test(path);
  return readMarkdown(path).map(({ fields, body }) => {
    // A legal text without its own page is shown below a heading on another page, so its headings are one level lower.
    const html = isLegal ? renderLegalText(body, "path" in fields ? 2 : 3) : renderMarkdown(body);
    return { ...(renderBodies(fields) as ContentFields), html };
  });
}

/** Replaces tokens such as `{{brand.company.abn}}` with values of the brand. */
function replaceTokens(text: string): string {
  return text.replace(/\{\{([\w.]+)\}\}/g, (token, path: string) => {
    const [first, ...rest] = path.split(".");
    const value = rest.reduce<unknown>(
      (from, key) => (typeof from === "object" && from !== null ? (from as Record<string, unknown>)[key] : undefined),
      first === "brand" ? brand : undefined,
    );
    if (typeof value !== "string") throw new Error(`${token} is not in schema/brand.ts`);
    return value;
  });
}

/** Renders the fields called `body` in the front matter as HTML. */
function renderBodies(value: ContentValue): ContentValue {
  if (Array.isArray(value)) return (value as ContentValue[]).map(renderBodies);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value as ContentFields).map(([field, inner]) =>
      field === "body" && typeof inner === "string" ? ["html", renderMarkdown(inner)] : [field, renderBodies(inner)],
    ),
  );
}

function markdownFiles(folder: string, under: string): string[] {
  return readdirSync(join(folder, under), { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = posix.join(under, entry.name);
      if (entry.isDirectory()) return markdownFiles(folder, path);
      return entry.name.endsWith(".md") ? [path] : [];
    });
}

/** A clause in a table of contents. `id` is its permanent anchor, such as `clause-7`. */
type Clause = { readonly id: string; readonly number: string; readonly title: string };

const HEADING = /<h2 id="[^"]*">(\d+)\. (.*?)<\/h2>/g;
const SUBCLAUSE = /<p>(\d+\.\d+) /g;
const LETTER = /<li>(\([a-z]\)) /g;
const REFERENCE = /\bclauses?\s+\d+(?:\.\d+)?(?:(?:,| or| and|, or|, and)\s+\d+(?:\.\d+)?)*/gi;

/**
 * Renders a legal text as HTML. Numbers and letters are separate elements, clauses have anchors that don't depend on their
 * titles, and references to clauses are links. `level` is the level of the headings.
 */
function renderLegalText(markdown: string, level = 2): string {
  return renderMarkdown(markdown)
    .replace(REFERENCE, (words) =>
      words.replace(/\d+(?:\.\d+)?/g, (number) => `<a href="#clause-${number}">${number}</a>`),
    )
    .replace(HEADING, `<h${level} id="clause-$1"><span class="number">$1. </span>$2</h${level}>`)
    .replace(SUBCLAUSE, '<p id="clause-$1" class="clause"><span class="number">$1 </span>')
    .replace(LETTER, '<li><span class="letter">$1 </span>');
}

/** Returns the clauses of a rendered legal text. */
function findClauses(html: string): Clause[] {
  return [...html.matchAll(/<h\d id="(clause-\d+)"><span class="number">(\d+)\. <\/span>(.*?)<\/h\d>/g)].map(
    ([, id = "", number = "", title = ""]) => ({
      id,
      number,
      title: title.replaceAll("&amp;", "&").replaceAll("&#39;", "'"),
    }),
  );
}
