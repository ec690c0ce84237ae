import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { HOUR, MINUTE, SECOND } from "#api/platform/clock.ts";
import { rateLimitPoints } from "#api/platform/limits/rate-limits.ts";
import { retryDelays } from "#api/webhooks/endpoints/record-attempt-result.ts";
import { sandboxCodes } from "#schema/sandbox-codes.ts";
import { subscribedEventTypes } from "#schema/webhooks.ts";
import { renderDeveloperGuide, renderGuideTexts } from "../../../scripts/content/developer-guide.ts";
import { readContent } from "../../../scripts/content/read-content.ts";
import { insertIncludedTexts } from "../../../scripts/content/rest-reference/chapters.ts";

const { html } = readContent(".").get("rest-reference") as { html: string };
const page = html.slice(0, html.indexOf('<section class="group"'));
const chapter = (id: string) => {
  const found = page.split('<section class="chapter">').find((part) => part.startsWith(`<h2 id="${id}">`));
  if (!found) throw new Error(`/v1/docs has no chapter ${id}`);
  return found;
};

test("includes docs/webhooks.md with the body of each event and code that verifies signatures", () => {
  const text = chapter("webhooks");
  for (const type of [...subscribedEventTypes, "webhook.test", "Node", "Python", "C#"])
    expect(text).toMatch(new RegExp(`<details><summary>${type}</summary>.{10,}?</details>`, "s"));
  const written = readFileSync("docs/webhooks.md", "utf8").replace(/```.*?```/gs, "");
  const said = text.replace(/<[^>]+>/g, " ");
  for (const number of written.match(/\d[\d,]*/g) ?? []) expect(said).toContain(number);
  expect(text).not.toContain("{{");
});

test("documents the real retry schedule in docs/webhooks.md", () => {
  const [, pauses = ""] =
    /The next attempts come (.*?) after the one before/s.exec(readFileSync("docs/webhooks.md", "utf8")) ?? [];
  const documented = pauses.split(/, | and /).map((pause) => {
    const [count = "", unit = ""] = pause.split(" ");
    return Number(count) * (unit.startsWith("s") ? SECOND : unit.startsWith("m") ? MINUTE : HOUR);
  });
  expect(documented).toEqual(retryDelays);
});

test("lists every sandbox code and the keys that verify their proofs", () => {
  const text = chapter("sandbox-licence-codes");
  for (const { licenceCode } of sandboxCodes) expect(text).toContain(`<code>${licenceCode}</code>`);
  expect(text).toContain('href="#get-v1-licence-sandbox-signing-keys"');
  expect(html).toContain('id="get-v1-licence-sandbox-signing-keys"');
});

test("rejects a chapter without a placeholder for an included text", () => {
  expect(() => insertIncludedTexts(".", "<p>Nothing</p>")).toThrow("has no place for docs/webhooks.md");
});

test.each<[string, keyof typeof rateLimitPoints]>([
  ["Calls with all personal access tokens of one user, with the rate points of GraphQL", "personalAccessToken"],
  ["Activations of one licence, offline ones included", "activation"],
  ["Unknown licence codes from one IP address", "unknownLicenceCode"],
  ["Requests with sandbox licence codes from one IP address", "sandbox"],
  ["Add-in sign-ins started from one IP address", "deviceAuthorization"],
  ["Wrong passwords for one email", "signInByEmailPerMinute"],
  ["Wrong passwords for one email", "signInByEmailPerHour"],
  ["Refreshes of sessions from one IP address", "refresh"],
  ["Promo codes tried by one account", "promoCode"],
  ["Report downloads", "report"],
  ["Tax invoice and statement downloads", "taxInvoiceDownload"],
  ["Uploads of builds", "softwareUpload"],
  ["Webhook endpoints added or changed, or secrets rolled, by one account", "webhookChange"],
  ["Test events and replays of one account", "webhookSend"],
])("documents the real rate limit: %s (%s)", (what, name) => {
  const { points, seconds } = rateLimitPoints[name];
  const window = { 30: "in 30 seconds", 60: "a minute", 600: "in 10 minutes", 3_600: "an hour" }[seconds as number];
  const [, documented = ""] = new RegExp(`<td>${what}</td>\\s*<td>(.*?)</td>`).exec(chapter("rate-limits")) ?? [];
  expect(documented.split(", ")).toContain(`${points} ${window}`);
});

test("documents the real rate limit in docs/graphql.md", () => {
  const text = readFileSync("docs/graphql.md", "utf8");
  expect(text).toContain(`| rate points | ${rateLimitPoints.graphql.points} a minute for each user`);
});

test("fills in ids, files and forms in code samples", () => {
  expect(html).toContain("/v1/subscriptions/update-subscription/xer-professional-yearly");
  expect(html).toContain("/v1/software/update?stage=4&amp;version=7.2.0");
  expect(html).toContain("-H &quot;Content-Type: text/csv&quot; \\\n  --data-binary @users.csv");
  expect(html).toContain("-F &quot;softwareStage=4&quot; \\\n  -F &quot;installationFile=@setup.exe&quot;");
  expect(html).toContain("new MediaTypeHeaderValue(&quot;text/csv&quot;)");
});

describe("developer guide", () => {
  const guide = renderDeveloperGuide(".");
  const page = (path: string) => guide.find((one) => one.path === path)?.html ?? "";
  const findAnchors = (text: string) => Array.from(text.matchAll(/ id="([^"]+)"/g), ([, id]) => id);

  test("links only to existing pages and anchors, and repeats no anchor on a page", () => {
    const pages = guide.map((one) => one.path);
    const texts = Object.keys(renderGuideTexts(guide, ""));
    const elsewhere = new Set(["/schema.graphql", "/playground/", "/v1/docs/", ...texts]);
    for (const { path, html: text, markdown } of guide) {
      const anchors = findAnchors(text);
      expect(anchors, path).toEqual([...new Set(anchors)]);
      expect(`${text}${markdown}`, path).not.toMatch(/href="[^"]*\.\.|\]\(\.\.|\{\{|localhost:4000/);
      for (const [, href = ""] of text.matchAll(/href="([^"]+)"/g)) {
        const [target = "", anchor] = href.split("#");
        if (href.startsWith("https:") || elsewhere.has(href)) continue;
        expect(pages, `${path} ${href}`).toContain(target || path);
        if (anchor) expect(findAnchors(page(target || path)), `${path} ${href}`).toContain(anchor);
      }
    }
    // A file that the site doesn't serve is only named.
    expect(page("/docs/webhooks/")).toContain("<p><code>crm-sync.mjs</code> copies");
  });

  test("has a page for each topic, and answers what integrators had to guess", () => {
    for (const topic of "life-cycle fingerprint proofs offline seats usage updates errors sandbox".split(" "))
      expect(page(`/docs/${topic}/`), topic).toContain('<section class="chapter"><h2');
    for (const topic of ["dotnet", "webhooks", "graphql", "release-notes"])
      expect(page(`/docs/${topic}/`)).not.toBe("");
    expect(page("/docs/questions/").match(/<h2 /g)).toHaveLength(11);
  });

  test("has what every version brought for integrators, and nothing for others", () => {
    const notes = page("/docs/release-notes/");
    expect(notes).toContain("Conformance tests for any client");
    for (const text of ["For operators", "npm run release"]) expect(notes).not.toContain(text);
  });

  test("says on each page where the shell of its examples is set up", () => {
    const pages = guide.filter(({ markdown }) => /\$URL\/|\| post /.test(markdown));
    expect(pages.length).toBeGreaterThan(5);
    for (const { path, markdown } of pages) expect(markdown, path).toMatch(/## Try it in a shell|\[the shell\]\(/);
  });

  test("offers llms.txt and the Markdown of each page", () => {
    const texts = renderGuideTexts(guide, "Planner");
    const links = (texts["/llms.txt"] ?? "").matchAll(/\(%PUBLIC_URL%(\/docs\/[^)]+)\)/g);
    const [, ...listed] = Array.from(links, ([, path]) => path);
    expect(Object.keys(texts)).toEqual(["/llms.txt", "/llms-full.txt", "/docs/quickstart.md", ...listed]);
    for (const [path, text] of Object.entries(texts)) expect(text.length, path).toBeGreaterThan(400);
    expect(texts["/docs/questions.md"]).toContain("(%PUBLIC_URL%/docs/seats.md)");
  });
});
