import type { ContentFields, ContentValue } from "./read-content.ts";

/** A part of the site's help that the search of the knowledge base finds by itself. */
interface HelpSection {
  /** Address with the anchor of its heading. */
  readonly id: string;
  readonly kind: "Article" | "User guide" | "Tutorial";
  readonly title: string;
  readonly section: string;
  /** What the result shows below its title: the add-in's messages, or the first sentence. */
  readonly summary: string;
  /** Search terms that the page doesn't show. */
  readonly keywords: string;
  /** The whole text. */
  readonly answer: string;
}

/** Returns a field as text; empty if it is missing or something else. */
export const toText = (value: ContentValue | undefined): string => (typeof value === "string" ? value : "");

/** Returns the texts of HTML with its entities replaced. */
const stripTags = (html: string): string =>
  html
    .replace(/<[^>]+>/g, " ")
    .replaceAll("&#39;", "'")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&")
    .replace(/\s+/g, " ")
    .trim();

const firstSentence = (text: string): string => /^.*?[.?!](?= |$)/.exec(text)?.[0] ?? text;

/** Returns the articles of the knowledge base, the chapters of the user guide and the tutorials, for one search. */
export function listHelpSections(content: ReadonlyMap<string, ContentValue>): readonly ContentFields[] {
  const list = (name: string) => content.get(name) as readonly ContentFields[];
  const guide = content.get("pages/user-guide") as ContentFields;
  const tutorialsPath = toText((content.get("pages/tutorials") as ContentFields).path);
  const describe = (kind: HelpSection["kind"], id: string, fields: ContentFields): HelpSection => {
    const answer = stripTags(toText(fields.html));
    const messages = (fields.messages ?? []) as readonly string[];
    return {
      id,
      kind,
      title: stripTags(toText(fields.title)),
      section: toText(fields.section) || kind,
      summary: messages.join(" ") || firstSentence(answer),
      keywords: [toText(fields.keywords), ...messages].join(" ").trim(),
      answer,
    };
  };
  const chapters = [
    ...(guide.steps as unknown as readonly ContentFields[]),
    ...Array.from(
      toText(guide.html).matchAll(/<h2 id="([^"]+)">(.*?)<\/h2>(.*?)(?=<h2 |$)/gs),
      ([, id = "", title = "", html = ""]) => ({ id, title, html }),
    ),
  ];
  return [
    ...list("articles").map((article) => describe("Article", toText(article.path), article)),
    ...chapters.map((chapter) => describe("User guide", `${toText(guide.path)}#${toText(chapter.id)}`, chapter)),
    ...list("tutorials").map((one) => describe("Tutorial", `${tutorialsPath}#tutorial-${toText(one.id)}`, one)),
  ] as unknown as readonly ContentFields[];
}
