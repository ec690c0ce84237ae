import type { brand } from "./brand.ts";

type Brand = typeof brand;

/** Keys whose values are the same for every brand. */
const fixedKeys = ["installerPath", "label", "publisher"];

const token = /(?:https:\/\/)?zb([a-z]+)zb(?:@zb\.invalid|\.invalid)?/g;

/**
 * Returns a brand whose texts are placeholders, with which the portal is built. An email address or URL becomes one of the
 * same kind, and a placeholder has only lower-case letters, so it survives Markdown, routes and minifiers (decision 0061).
 * @param keep keys that keep their value
 */
export function toTokens(values: Brand, keep: readonly string[] = []): Brand {
  return mapTexts(values, "", (path, key, value) => {
    if (fixedKeys.includes(key) || keep.includes(key)) return value;
    const name = `zb${path}zb`;
    if (value.startsWith("https://")) return `https://${name}.invalid`;
    return value.includes("@") ? `${name}@zb.invalid` : name;
  }) as Brand;
}

/** Returns whether a text or path contains a placeholder. */
export const hasTokens = (text: string): boolean => new RegExp(token.source).test(text);

/** The language of a text, which decides how a value in it is escaped. */
type TextKind = "html" | "js" | "json" | "plain";

/** The language of the files of a build that contain texts, by the extension of their names. */
export const textKinds: Readonly<Record<string, TextKind>> = {
  ".html": "html",
  ".js": "js",
  ".json": "json",
  ".webmanifest": "json",
  ".css": "plain",
  ".svg": "html",
  ".vtt": "plain",
  ".txt": "plain",
  ".md": "plain",
};

/** Folder in a build with the files that contain placeholders. The server fills them in for another brand. */
export const TEMPLATES = "templates";

/** Name of the corporate terms' text and PDF. */
export const CORPORATE_TERMS = "corporate-licence-terms";

/** Replaces the placeholders in a text with the values of a brand. */
export function fillTokens(text: string, values: Brand, kind: TextKind): string {
  const byName = new Map<string, string>();
  mapTexts(values, "", (path, _key, value) => {
    byName.set(path, value);
    return value;
  });
  const fill = (part: string, escape: (value: string) => string) =>
    part.replace(token, (found, name: string) => {
      const value = byName.get(name);
      return value === undefined ? found : escape(value);
    });
  if (kind !== "html") return fill(text, escapes[kind]);
  // Scripts in a page contain JSON.
  return text
    .split(/(?=<script\b)|(?<=<\/script>)/)
    .map((part) => fill(part, part.startsWith("<script") ? escapes.json : escapes.html))
    .join("");
}

/** The brand file allows no < > " \ and `, so these are enough. */
const escapes = {
  plain: (value: string) => value,
  json: (value: string) => value,
  html: (value: string) => value.replaceAll("&", "&amp;").replaceAll("'", "&#x27;"),
  js: (value: string) => value.replaceAll("'", "\\u0027").replaceAll("$", "\\u0024"),
};

function mapTexts(
  from: unknown,
  path: string,
  change: (path: string, key: string, value: string) => string,
  key = "",
): unknown {
  if (typeof from === "string") return change(path.toLowerCase(), key, from);
  if (typeof from !== "object" || from === null) return from;
  return Object.fromEntries(
    Object.entries(from).map(([name, value]) => [name, mapTexts(value, `${path}${name}`, change, name)]),
  );
}
