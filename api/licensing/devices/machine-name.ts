import { comparedMachineName, shownMachineName } from "#schema/machine-name.ts";

/** Returns the names under which a machine may be blocked: whole, and the part before `|`. */
export function comparedMachineNames(machineName: string): string[] {
  return [...new Set([machineName, shownMachineName(machineName)].map(comparedMachineName))];
}
