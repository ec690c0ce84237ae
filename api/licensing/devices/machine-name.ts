import { comparedMachineName, shownMachineName } from "#schema/machine-name.ts";

/** The names under which a machine may be blocked: whole, or the part before `|` (docs/domain.md#devices). */
export function comparedMachineNames(machineName: string): string[] {
  return [...new Set([machineName, shownMachineName(machineName)].map(comparedMachineName))];
}
