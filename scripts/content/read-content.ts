/** Reads `web/content`: Markdown with YAML front matter, the brand's tokens replaced, bodies turned into HTML. */
import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { parse } from "yaml";
import { brand } from "#schema/brand.ts";
import { clausesOf, renderLegalText } from "./legal-text.ts";
import { renderMarkdown } from "./render-markdown.ts";
import { withIncluded } from "./rest-reference/chapters.ts";
import { referenceOf, renderReference } from "./rest-reference/render-reference.ts";

/** A value of a front matter, or the HTML of a body. */
export type ContentValue = string | number | boolean | null | readonly ContentValue[] | ContentFields;

/** The fields of one file; `html` is its body, and a field `body` has become `html` too. */
export interface ContentFields {
  readonly [field: string]: ContentValue;
}

/** Folders whose files make one list, in the order of their `order`; the others are read file by file. */
const lists: readonly string[] = ["faqs", "tutorials", "products"];

/** What pages that list the levels need of each; the rest of a product's file is for its own page. */
const levelFields = ["id", "name", "slug", "path", "logo", "retiring", "label", "lead", "adds"] as const;

/** Where the content lies, from the root of the repository. */
export const contentFolder = "web/content";

/**
 * All content by module name: `home`, `pages/news`, `legals/privacy-policy`; and `faqs`, `tutorials`, `products` as
 * lists whose entries have an `id`, the name of their file without its number. A product is a module of its own as well,
 * `products/plus`, and `levels` lists what pages about all of them need. What of a text is not text alone is a module
 * too (`addFieldsAlone`); `support-faqs` are those of the old support page, and `rest-reference` is its chapters with
 * every call of `schema/openapi.json`, `docs/webhooks.md` and the table of sandbox codes.
 * @throws {Error} naming the file, for an unknown token, a front matter that is no YAML, or a page without its title
 */
export function readContent(root: string): ReadonlyMap<string, ContentValue> {
  const files = markdownFiles(join(root, contentFolder), "").filter((file) => file !== "README.md");
  const content = new Map<string, ContentValue>();
  for (const file of files) {
    const name = file.replace(/\.md$/, "");
    const [folder = ""] = name.split("/");
    const fields = readFile(join(root, contentFolder, file));
    if (!lists.includes(folder)) content.set(name, fields);
    else {
      const entry = { id: posix.basename(name).replace(/^\d+-/, ""), ...fields };
      content.set(folder, [...((content.get(folder) as ContentFields[] | undefined) ?? []), entry]);
    }
  }
  for (const list of lists)
    content.set(
      list,
      ((content.get(list) ?? []) as ContentFields[]).toSorted((a, b) => Number(a.order) - Number(b.order)),
    );
  const products = content.get("products") as ContentFields[];
  for (const product of products) if (typeof product.id === "string") content.set(`products/${product.id}`, product);
  content.set(
    "levels",
    products.map((product) => Object.fromEntries(levelFields.map((field) => [field, product[field] ?? null]))),
  );
  const faqs = content.get("faqs") as ContentFields[];
  // By themselves, so that the page which lists these few does not carry all.
  content.set(
    "support-faqs",
    faqs.filter(({ show, showOnSupportPage }) => show && showOnSupportPage),
  );
  const chapters = content.get("rest-reference") as ContentFields;
  content.set("rest-reference", {
    ...chapters,
    html: renderReference(referenceOf(root), withIncluded(root, textOf(chapters.html))),
  });
  content.set("heads", headsOf(content));
  addFieldsAlone(content);
  return content;
}

/**
 * What a page shows besides long texts that its HTML holds already: `legal-heads/NAME`, with the clauses' titles,
 * `faq-questions` and `tutorial-heads`. The texts themselves load only where a page is opened without its HTML.
 */
function addFieldsAlone(content: Map<string, ContentValue>): void {
  for (const [name, value] of [...content].filter(([key]) => key.startsWith("legals/"))) {
    const { html, ...fields } = value as ContentFields;
    content.set(name.replace("legals/", "legal-heads/"), {
      ...fields,
      contents: clausesOf(typeof html === "string" ? html : ""),
    });
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

const textOf = (value: ContentValue | undefined): string => (typeof value === "string" ? value : "");

/** Address, title and description of every page that has a file, each address once, in the order of the addresses. */
function headsOf(content: ReadonlyMap<string, ContentValue>): ContentFields[] {
  const heads = new Map<string, ContentFields>();
  const named = [...content].filter(([name]) => name === "home" || /^(pages|legals)\//.test(name));
  for (const fields of [...named.map(([, value]) => value), ...(content.get("products") as ContentFields[])]) {
    const { path, title, description, pageName = "", noIndex = false } = fields as ContentFields;
    if (typeof path !== "string" || heads.has(path)) continue;
    if (typeof title !== "string" || typeof description !== "string")
      throw new Error(`The page at ${path} in ${contentFolder} lacks a title or a description.`);
    heads.set(path, { path, title, description, pageName, noIndex });
  }
  return [...heads].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, head]) => head);
}

/**
 * The front matter and the Markdown of a file, with the brand's words in the place of tokens.
 * @throws {Error} naming the file
 */
export function readMarkdown(path: string): { fields: ContentFields; body: string } {
  try {
    const text = replaceTokens(readFileSync(path, "utf8"));
    const [, front, body] = /^---\n([\s\S]*?)\n---\n?([\s\S]*)$/.exec(text) ?? [];
    if (front === undefined || body === undefined) throw new Error("it does not begin with a front matter");
    return { fields: parse(front) as ContentFields, body };
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

function readFile(path: string): ContentFields {
  const { fields, body } = readMarkdown(path);
  const isLegal = /[\\/]legals[\\/]/.test(path);
  // What is one document among others stands below its own name.
  const html = isLegal ? renderLegalText(body, "path" in fields ? 2 : 3) : renderMarkdown(body);
  return { ...(withHtml(fields) as ContentFields), html };
}

/** `{{brand.company.abn}}` names a value of the brand file by its path. */
function replaceTokens(text: string): string {
  return text.replace(/\{\{([\w.]+)\}\}/g, (token, path: string) => {
    const [first, ...rest] = path.split(".");
    const value = rest.reduce<unknown>(
      (from, key) => (typeof from === "object" && from !== null ? (from as Record<string, unknown>)[key] : undefined),
      first === "brand" ? brand : undefined,
    );
    if (typeof value !== "string") throw new Error(`${token} names nothing in schema/brand.ts`);
    return value;
  });
}

/** Markdown within a front matter stands in fields called `body`. */
function withHtml(value: ContentValue): ContentValue {
  if (Array.isArray(value)) return (value as ContentValue[]).map(withHtml);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value as ContentFields).map(([field, inner]) =>
      field === "body" && typeof inner === "string" ? ["html", renderMarkdown(inner)] : [field, withHtml(inner)],
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
