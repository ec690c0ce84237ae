import { cleanKey, cleanText } from "./clean-text.ts";

/** Returns the part of a machine name that is displayed: the part before `|`. */
export function formatMachineName(machineName: string): string {
  return machineName.split("|")[0]?.trim() || machineName;
}

/** Normalises a machine name for comparison and for `blocked_machines.compared_name`: cleaned as a key and in lower case. */
export function normaliseMachineName(machineName: string): string {
  return cleanKey(machineName).toLowerCase();
}

/**
 * Returns the normalised names that block a machine: the whole name and the part before `|`, also in the spelling in which
 * releases up to 1.0.0 stored them.
 */
export function listComparedNames(machineName: string): string[] {
  const spellings = [machineName, formatMachineName(machineName)].flatMap((name) => [
    normaliseMachineName(name),
    cleanText(name).trim().toLowerCase(),
  ]);
  return [...new Set(spellings)];
}
