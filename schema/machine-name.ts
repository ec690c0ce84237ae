import { cleanText } from "./clean-text.ts";

/** Returns the part of a machine name that is displayed: the part before `|`. */
export function formatMachineName(machineName: string): string {
  return machineName.split("|")[0]?.trim() || machineName;
}

/** Normalises a machine name for comparison and for `blocked_machines.compared_name`: cleaned, trimmed and lower case. */
export function normaliseMachineName(machineName: string): string {
  return cleanText(machineName).trim().toLowerCase();
}

/** Returns the normalised names that block a machine: the whole name and the part before `|`. */
export function listComparedNames(machineName: string): string[] {
  return [...new Set([machineName, formatMachineName(machineName)].map(normaliseMachineName))];
}
