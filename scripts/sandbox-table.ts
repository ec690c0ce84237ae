import { ResultCode } from "#schema/result-code.ts";
import { callsBySandboxResult, type SandboxCode, sandboxCodes, type SandboxLicence } from "#schema/sandbox-codes.ts";

const licences: Record<SandboxLicence, string> = {
  paid: "Professional, ends in 300 days",
  standard: "Standard: `schedule` alone",
  trial: "trial, ends in 10 days, 20 conversions",
  perpetual: "Professional, ends in 2099",
  concurrent: "concurrent, 5 seats, a heartbeat every 15 minutes, borrowed for up to 24 hours",
  floating: "old floating licence with a lease period of 8 hours",
};

/** Returns a Markdown table of every sandbox licence code, its result and the calls that return it. */
export function buildSandboxTable(): string {
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
