import { XMLParser, XMLValidator } from "fast-xml-parser";

/** An element of a manifest: its attributes by `@name`, its children by name, without namespaces' prefixes. */
export interface XmlElement {
  readonly [name: string]: unknown;
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  // Nothing is looked up or expanded: the five entities of XML are put in by hand.
  processEntities: false,
  // Several of a kind are the rule: one alone comes as a list too.
  isArray: (_name, _path, _isLeaf, isAttribute) => !isAttribute,
  maxNestedTags: 40,
});

/** Elements and attributes that a manifest has at most, counted by their signs. */
const MOST_TAGS = 60_000;
const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/**
 * The root element of a manifest. There is no DTD and no entity beyond those of XML itself, nesting and number of
 * elements are bounded, and nothing is fetched.
 * @returns null when it is not such XML, or its root is not `assembly`.
 */
export function readManifestXml(content: Buffer): XmlElement | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(content);
    if (!/^\s*</.test(text) || /<!(?:doctype|entity|element|attlist|notation)/i.test(text)) return null;
    if (countOf(text, "<") > MOST_TAGS || countOf(text, "=") > 4 * MOST_TAGS) return null;
    if (XMLValidator.validate(text) !== true) return null;
    return childrenOf(parser.parse(text) as XmlElement, "assembly")[0] ?? null;
  } catch {
    return null;
  }
}

/** Children of an element by their name. */
export function childrenOf(element: XmlElement | undefined, name: string): XmlElement[] {
  const children = element?.[name];
  return Array.isArray(children) ? children.map((child) => (isElement(child) ? child : { "#text": child })) : [];
}

/** An attribute's text; null when it is not there or holds an entity that XML does not know. */
export function attributeOf(element: XmlElement | undefined, name: string): string | null {
  return plain(element?.[`@${name}`]);
}

/** The text of an element without children. */
export function textOf(element: XmlElement | undefined): string | null {
  return plain(element?.["#text"]);
}

function plain(raw: unknown): string | null {
  if (typeof raw !== "string") return null;
  let isPlain = true;
  const text = raw.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));?/gi, (_whole, decimal, hex, name) => {
    const code = decimal ? Number(decimal) : hex ? Number.parseInt(hex as string, 16) : null;
    const character =
      code === null ? entities[name as string] : code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
    if (character === undefined) isPlain = false;
    return character ?? "";
  });
  return isPlain ? text : null;
}

function isElement(value: unknown): value is XmlElement {
  return typeof value === "object" && value !== null;
}

function countOf(text: string, sign: string): number {
  let count = 0;
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) count++;
  return count;
}
