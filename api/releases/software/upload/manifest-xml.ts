import { XMLParser, XMLValidator } from "fast-xml-parser";

/** An element of a manifest: attributes as `@name`, children by name, without namespace prefixes. */
export interface XmlElement {
  readonly [name: string]: unknown;
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  // The parser never expands entities; `decodeEntities` replaces the five predefined ones.
  processEntities: false,
  // Always return lists, even for a single element.
  isArray: (_name, _path, _isLeaf, isAttribute) => !isAttribute,
  maxNestedTags: 40,
});

/** Maximum number of elements in a manifest, estimated by counting `<`. */
const MAX_TAGS = 60_000;
const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/**
 * Parses a manifest and returns its root element. Rejects DTDs, custom entities, deep nesting and too many elements, and never
 * fetches anything.
 * @returns null if the XML is invalid or its root isn't `assembly`.
 */
export function parseManifestXml(content: Buffer): XmlElement | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(content);
    if (!/^\s*</.test(text) || /<!(?:doctype|entity|element|attlist|notation)/i.test(text)) return null;
    if (countOccurrences(text, "<") > MAX_TAGS || countOccurrences(text, "=") > 4 * MAX_TAGS) return null;
    if (XMLValidator.validate(text) !== true) return null;
    return getChildren(parser.parse(text) as XmlElement, "assembly")[0] ?? null;
  } catch {
    return null;
  }
}

/** Returns the children of an element by name. */
export function getChildren(element: XmlElement | undefined, name: string): XmlElement[] {
  const children = element?.[name];
  return Array.isArray(children) ? children.map((child) => (isElement(child) ? child : { "#text": child })) : [];
}

/** Returns the value of an attribute, or null if it is missing or contains an unknown entity. */
export function getAttribute(element: XmlElement | undefined, name: string): string | null {
  return decodeEntities(element?.[`@${name}`]);
}

/** Returns the text of an element without children. */
export function getText(element: XmlElement | undefined): string | null {
  return decodeEntities(element?.["#text"]);
}

function decodeEntities(raw: unknown): string | null {
  if (typeof raw !== "string") return null;
  let isValid = true;
  const text = raw.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));?/gi, (_whole, decimal, hex, name) => {
    const code = decimal ? Number(decimal) : hex ? Number.parseInt(hex as string, 16) : null;
    const character =
      code === null ? entities[name as string] : code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
    if (character === undefined) isValid = false;
    return character ?? "";
  });
  return isValid ? text : null;
}

function isElement(value: unknown): value is XmlElement {
  return typeof value === "object" && value !== null;
}

function countOccurrences(text: string, sign: string): number {
  let count = 0;
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) count++;
  return count;
}
