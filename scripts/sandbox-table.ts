import { ResultCode } from "#schema/catalogue.ts";
import { callsOfSandboxResult, type SandboxCode, sandboxCodes, type SandboxLicence } from "#schema/sandbox-codes.ts";

const begin = "<!-- Written by `npm run generate` from schema/sandbox-codes.ts; do not edit. -->";
const end = "<!-- End of what is written. -->";

const licences: Record<SandboxLicence, string> = {
  paid: "Professional, ends in 300 days",
  standard: "Standard: `schedule` alone",
  trial: "trial, ends in 10 days, 20 conversions",
  perpetual: "Professional, ends in 2099",
  concurrent: "concurrent, 5 seats, a heartbeat every 15 minutes, borrowed for up to 24 hours",
  floating: "old floating licence with a lease period of 8 hours",
};

/** The page with the table of sandbox codes in its place. @throws Error when the page has no place for it. */
export function withSandboxTable(page: string): string {
  const [start, stop] = [page.indexOf(begin), page.indexOf(end)];
  if (start < 0 || stop < start) throw new Error("docs/addin.md has no place for the table of sandbox codes.");
  return `${page.slice(0, start + begin.length)}\n\n${sandboxTable()}\n\n${page.slice(stop)}`;
}

/** Every sandbox licence code with what it answers and where, as a table of Markdown. */
export function sandboxTable(): string {
  const rows = sandboxCodes.map(
    (code) => `| \`${code.licenceCode}\` | ${resultOf(code)} | ${licenceOf(code)} | ${callsOf(code)} |`,
  );
  return ["| Licence code | Answers | Licence | In the calls |", "|---|---|---|---|", ...rows].join("\n");
}

function resultOf({ result, status, warnings }: SandboxCode): string {
  if (status) return `status ${status}, \`Retry-After: 5\``;
  const said = `${ResultCode[result]} ${result}`;
  return warnings.length > 0 ? `${said}, ${warnings.join(", ")}` : said;
}

function licenceOf({ licence, result, status, warnings }: SandboxCode): string {
  if (status || result === "FAILED" || result === "LICENCE_NOT_FOUND") return "none";
  if (result === "LICENCE_EXPIRED") return "Professional, ended yesterday";
  if (warnings.includes("EXPIRING_SOON")) return "Professional, ends in 3 days";
  return licences[licence];
}

function callsOf({ result, status, afterActivation }: SandboxCode): string {
  if (result === "FEATURE_NOT_LICENSED") return "validate with another of the `features`";
  if (result === "MACHINE_LIMIT_EXCEEDED") return "activate without `replaceMachineId`, offline";
  const refused = callsOfSandboxResult[result];
  if (status || refused.length === callsOfSandboxResult.VALID.length) return "all";
  const calls = refused.filter((call) => !afterActivation || !claims.includes(call));
  const swaps = result === "DEACTIVATION_LIMIT_EXCEEDED" || result === "MACHINE_OFFLINE_LOCKED";
  const all = swaps ? [...calls, "activate with `replaceMachineId`"] : calls;
  return `${all.join(", ")}${afterActivation ? "; activated before" : ""}`;
}

const claims: readonly string[] = ["activate", "move", "offline"];
