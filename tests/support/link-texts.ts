import { readFileSync } from "node:fs";
import { parseSync, Visitor } from "oxc-parser";
import type { PageName } from "#web/app/pages.tsx";

/** A literal text of a link, and the page that it leads to. */
interface LinkText {
  readonly page: PageName;
  readonly text: string;
}

interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value;

/**
 * Returns the texts of a file's links to pages: `<Link to={paths.page.href()}>Text</Link>`, `{ label: "Text", to: … }` and
 * `["Text", paths.page, …]`. Texts that are calculated aren't found.
 */
export function listLinkTexts(file: string): LinkText[] {
  const found: LinkText[] = [];
  const add = (page: string | undefined, texts: readonly string[]) => {
    for (const text of texts) if (page && text.trim()) found.push({ page: page as PageName, text: text.trim() });
  };
  const addPair = (target: unknown, text: unknown) => add(findPage(target), collectTexts(text));
  new Visitor({
    JSXElement(element) {
      const to = element.openingElement.attributes.find(
        (attribute) => attribute.type === "JSXAttribute" && attribute.name.name === "to",
      );
      if (to) addPair(to, element.children);
    },
    ObjectExpression({ properties }) {
      const get = (name: string) =>
        properties.find((one) => one.type === "Property" && one.key.type === "Identifier" && one.key.name === name);
      addPair(get("to"), get("label"));
    },
    ArrayExpression({ elements: [text, target] }) {
      if (text?.type === "Literal" && target?.type === "MemberExpression") addPair(target, text);
    },
  }).visit(parseSync(file, readFileSync(file, "utf8")).program);
  return found;
}

/** Returns the name of the first `paths.name` in a tree. */
function findPage(tree: unknown): string | undefined {
  if (Array.isArray(tree)) return tree.map(findPage).find(Boolean);
  if (!isNode(tree)) return undefined;
  const { type, object, property } = tree as unknown as Record<string, Node>;
  if (type === ("MemberExpression" as never) && object?.["name"] === "paths") return property?.["name"] as string;
  return Object.values(tree).map(findPage).find(Boolean);
}

/** Returns the literal texts in a tree, but not those in attributes and conditions. */
function collectTexts(tree: unknown): string[] {
  if (Array.isArray(tree)) return tree.flatMap(collectTexts);
  if (!isNode(tree)) return [];
  if (tree.type === "JSXText" || (tree.type === "Literal" && typeof tree["value"] === "string"))
    return [(tree["value"] as string).replace(/\s+/g, " ")];
  const skipped = ["openingElement", "test", "left", "key", "callee", "arguments"];
  return Object.entries(tree).flatMap(([key, value]) => (skipped.includes(key) ? [] : collectTexts(value)));
}
