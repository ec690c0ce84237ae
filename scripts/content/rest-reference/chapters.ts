import { readFileSync } from "node:fs";
import { join } from "node:path";
import { renderMarkdown } from "../render-markdown.ts";
import { ResultCode } from "#schema/result-code.ts";
import { callsBySandboxResult, type SandboxCode, sandboxCodes, type SandboxLicence } from "#schema/sandbox-codes.ts";

/** A page of `docs/` that is also a chapter of /v1/docs. */
const WEBHOOKS = "docs/webhooks.md";

/**
 * Inserts texts from elsewhere into the chapters: `docs/webhooks.md` and the table of sandbox codes.
 * @throws {Error} if the chapters have no place for one of them
 */
export function insertIncludedTexts(root: string, chapters: string): string {
  const parts = {
    [WEBHOOKS]: () =>
      foldExamples(unlinkFiles(renderMarkdown(demoteHeadings(readFileSync(join(root, WEBHOOKS), "utf8"))))),
    "the table of sandbox codes": () => renderMarkdown(buildSandboxTable()),
  };
  return Object.entries(parts).reduce((html, [name, part]) => {
    const place = `<p>{{${name}}}</p>`;
    if (!html.includes(place)) throw new Error(`web/site/content/rest-reference.md has no place for ${name}.`);
    return html.replace(place, part);
  }, chapters);
}

/** Moves headings one level down, except lines in code blocks that look like headings. */
function demoteHeadings(markdown: string): string {
  return markdown
    .split(/(^```.*?^```$)/ms)
    .map((part) => (part.startsWith("```") ? part : part.replace(/^#/gm, "##")))
    .join("");
}

/** Keeps only the text of links to files of the repository, which the site doesn't serve. */
function unlinkFiles(html: string): string {
  return html.replace(/<a href="\.\.\/[^"]*">(.*?)<\/a>/gs, "$1");
}

/** Makes the lowest-level sections, which are examples, collapsible. */
function foldExamples(html: string): string {
  return html
    .split(/(?=<h[2-4] )/)
    .map((part) => part.replace(/^<h4 id="[^"]*">(.*?)<\/h4>([\s\S]*)$/, foldExample))
    .join("");
}

const foldExample = (_: string, title: string, body: string): string =>
  `<details><summary>${title}</summary>${body.trim()}</details>\n`;

const licences: Record<SandboxLicence, string> = {
  paid: "Professional, ends in 300 days",
  standard: "Standard: `schedule` alone",
  trial: "trial, ends in 10 days, 20 conversions",
  perpetual: "Professional, ends in 2099",
  concurrent: "concurrent, 5 seats, a heartbeat every 15 minutes, borrowed for up to 24 hours",
  floating: "old floating licence with a lease period of 8 hours",
};

/** Returns a Markdown table of every sandbox licence code, its result and the calls that return it. */
function buildSandboxTable(): string {
  const rows = sandboxCodes.map(
    (code) =>
      `| \`${code.licenceCode}\` | ${describeResult(code)} | ${describeLicence(code)} | ${describeCalls(code)} |`,
  );
  return ["| Licence code | Result | Licence | Calls |", "|---|---|---|---|", ...rows].join("\n");
}

function describeResult({ result, status, warnings }: SandboxCode): string {
  if (status) return `status ${status}, \`Retry-After: 5\``;
  const said = `${ResultCode[result]} ${result}`;
  return warnings.length > 0 ? `${said}, ${warnings.join(", ")}` : said;
}

function describeLicence({ licence, result, status, warnings }: SandboxCode): string {
  if (status || result === "FAILED" || result === "LICENCE_NOT_FOUND") return "none";
  if (result === "LICENCE_EXPIRED") return "Professional, ended yesterday";
  if (warnings.includes("EXPIRING_SOON")) return "Professional, ends in 3 days";
  return licences[licence];
}

function describeCalls({ result, status, afterActivation }: SandboxCode): string {
  if (result === "FEATURE_NOT_LICENSED") return "validate with another of the `features`";
  if (result === "MACHINE_LIMIT_EXCEEDED") return "activate without `replaceMachineId`, offline";
  const refused = callsBySandboxResult[result];
  if (status || refused.length === callsBySandboxResult.VALID.length) return "all";
  const calls = refused.filter((call) => !afterActivation || !claims.includes(call));
  const swaps = result === "DEACTIVATION_LIMIT_EXCEEDED" || result === "MACHINE_OFFLINE_LOCKED";
  const all = swaps ? [...calls, "activate with `replaceMachineId`"] : calls;
  return `${all.join(", ")}${afterActivation ? "; activated before" : ""}`;
}

const claims: readonly string[] = ["activate", "move", "offline"];
