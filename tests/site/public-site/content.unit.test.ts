import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { extractText, getDocumentProxy, getMeta } from "unpdf";
import { describe, expect, test } from "vitest";
import { renderLegalPdf } from "#api/app/legal-pdf.ts";
import { CORPORATE_TERMS } from "#schema/brand-tokens.ts";
import { readCorporateTerms } from "../../../scripts/content/legal-pdf-plugin.ts";
import { type ContentFields, type ContentValue, readContent } from "../../../scripts/content/read-content.ts";

const root = resolve(import.meta.dirname, "../../..");
const content = readContent(root);
const fields = (name: string) => content.get(name) as ContentFields;
/** Returns a field if it is a string, or else an empty string. */
const text = (value: ContentValue | undefined) => (typeof value === "string" ? value : "");
const list = (name: string) => content.get(name) as ContentFields[];

const pages = [...content].flatMap(([name, value]) =>
  name === "home" || /^(pages|legals)\//.test(name) ? [[name, value as ContentFields] as const] : [],
);
const described = [
  ...pages,
  ...["products", "tutorials", "articles"].flatMap((name) =>
    list(name).map((entry) => [`${name}/${text(entry.id)}`, entry] as const),
  ),
];

test("every page has a title and a description that fits in search results", () => {
  const unfit = described.filter(([, { title, description }]) => {
    const { length } = text(description);
    return !title || length < 110 || length > 165;
  });
  expect(unfit.map(([name]) => name)).toEqual([]);
});

test("no two pages share an address, a title or a description", () => {
  for (const field of ["path", "title", "description"] as const) {
    const values = described.map(([, entry]) => entry[field]).filter((value) => value !== undefined);
    expect(values.filter((value, index) => values.indexOf(value) !== index)).toEqual([]);
  }
});

test("content contains no unknown tokens or HTML", () => {
  for (const text of texts([...content.values()])) {
    expect(text).not.toContain("{{");
    // Examples in C# have type parameters, and headers in code have addresses in angle brackets.
    expect(text.replace(/<(pre|code)\b.*?<\/\1>/gs, "")).not.toMatch(/&lt;\/?[a-z]/i);
  }
});

test("production has no invented people, quotes, news, versions and film", () => {
  const published = readContent(root, false);
  const people = published.get("people") as ContentFields;
  expect([people.directors, people.businessSpecialists, people.endorsements]).toEqual([[], [], []]);
  expect(JSON.stringify([...published.values()])).not.toContain('"sample":true');
  const news = published.get("pages/news") as ContentFields;
  expect((news.items as ContentFields[]).filter(({ title }) => /version \d/i.test(text(title)))).toEqual([]);
  expect((published.get("pages/add-in") as ContentFields).notes).toEqual([]);
  // The film has the built-in company's name in its pictures.
  expect((published.get("tutorials") as ContentFields[]).filter(({ video }) => video)).toEqual([]);
  // So the old support page, which shows it elsewhere, doesn't promise it.
  const { title, description, lead } = published.get("pages/support") as ContentFields;
  expect(`${text(title)} ${text(description)} ${text(lead)}`).not.toMatch(/demonstration|video/i);
});

test("the FAQs and the knowledge base agree that a lag in percent is converted", () => {
  const find = (name: string, entryId: string) => text(list(name).find(({ id }) => id === entryId)?.html);
  expect(find("articles", "not-converted")).toContain("The same lag in hours (warning)");
  expect(find("faqs", "what-does-it-not-convert").replaceAll(/\s+/g, " ")).toContain("percentage become hours");
});

test("the knowledge base and the FAQs name the same data that the add-in sends", () => {
  const find = (name: string, entryId: string) => list(name).find(({ id }) => id === entryId)?.html;
  const data =
    "licence code, name, fingerprints, parts, virtual machine, Windows username, versions, planning program, conversion";
  for (const html of [find("articles", "what-the-add-in-checks"), find("faqs", "do-schedules-leave-my-machine")])
    for (const sent of data.split(", ")) expect(text(html).replaceAll(/\s+/g, " ")).toContain(sent);
});

test("there are at least 25 questions with unique anchors, some of them on the support page", () => {
  const questions = list("faqs").filter(({ show }) => show === true);
  expect(questions.length).toBeGreaterThanOrEqual(25);
  expect(new Set(questions.map(({ id }) => id)).size).toBe(questions.length);
  expect(list("faqs").some(({ showOnSupportPage }) => showOnSupportPage === true)).toBe(true);
});

const terms = { "single-licence-terms": 27, "terms-and-conditions": 20, "corporate-licence-terms": 15 };
describe.each(Object.entries({ ...terms, "privacy-policy": 24 }))("%s", (name, count) => {
  const { html, clauses, contents } = { ...fields(`legals/${name}`), ...fields(`legal-heads/${name}`) };
  const numbers = (contents as ContentFields[]).map((clause) => Number(clause.number));

  test(`has ${count} consecutively numbered clauses and sub-clauses`, () => {
    expect(clauses).toBe(count);
    expect(numbers).toEqual(Array.from({ length: count }, (_, index) => index + 1));
    const parts = [...text(html).matchAll(/ id="clause-(\d+)\.(\d+)"/g)].map(([, clause, part]) => [clause, part]);
    for (const number of numbers) {
      const own = parts.flatMap(([clause, part]) => (Number(clause) === number ? [Number(part)] : []));
      expect(own).toEqual(own.map((_, index) => index + 1));
      expect(own.length, `clause ${number}`).toBeGreaterThan(0);
    }
  });

  test("refers only to existing clauses", () => {
    const words = text(html).replaceAll(/<[^>]+>/g, "");
    const named = [...words.matchAll(/\bclauses?\s+([\d., ]*\d(?:\s+(?:or|and)\s+[\d.]*\d)?)/gi)];
    for (const [, numbersNamed = ""] of named)
      for (const [number] of numbersNamed.matchAll(/\d+(?:\.\d+)?/g))
        expect(text(html)).toContain(` id="clause-${number}"`);
  });
});

test("the privacy policy describes every cookie", () => {
  const sources = readdirSync(join(root, "api"), { recursive: true, encoding: "utf8" });
  const hasCookie = (file: string) => /^const COOKIE = /m.test(readFileSync(join(root, "api", file), "utf8"));
  const cookies = sources.filter((file) => file.endsWith(".ts") && hasCookie(file));
  const [clause = ""] = /id="clause-12\.1".*?<\/p>/s.exec(text(fields("legals/privacy-policy").html)) ?? [];
  const count = ["No", "One", "Two", "Three", "Four"][cookies.length] ?? "";
  expect(clause).toContain(`${count} cookies`);
});

test("generates a reproducible, tagged PDF of the corporate terms with all clauses", async () => {
  const pdf = await renderLegalPdf(readCorporateTerms(root));
  expect((await renderLegalPdf(readCorporateTerms(root))).equals(pdf)).toBe(true);
  const document = await getDocumentProxy(new Uint8Array(pdf));
  const { info } = await getMeta(document);
  expect(info).toMatchObject({ Title: "Corporate Licence Subscription Terms", Language: "en-AU" });
  expect(await document.getMarkInfo()).toMatchObject({ Marked: true });
  const { text: words, totalPages } = await extractText(document, { mergePages: true });
  const headings = fields("legal-heads/corporate-licence-terms").contents as ContentFields[];
  expect(headings).toHaveLength(15);
  for (const { number, title } of headings) expect(words).toContain(`${text(number)}. ${text(title)}`);
  expect(words).toContain(`Page ${totalPages} of ${totalPages}`);
  expect((await document.getOutline()).map(({ title }) => title)).toHaveLength(15);
  expect(fields(`legals/${CORPORATE_TERMS}`).pdf).toBe(`/media/${CORPORATE_TERMS}.pdf`);
});

/** Returns every string in a value, at any depth. */
function texts(value: ContentValue): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap((inner) => texts(inner as ContentValue));
}
