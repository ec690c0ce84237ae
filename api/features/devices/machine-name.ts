import { shownMachineName } from "#schema/machine-name.ts";

/** A machine name as `blocked_machines.compared_name` holds it: trimmed, lower case. */
export function comparedMachineName(machineName: string): string {
  return machineName.trim().toLowerCase();
}

/** The names under which a machine may be blocked: whole, or the part before `|` (DOMAIN §4). */
export function comparedMachineNames(machineName: string): string[] {
  return [...new Set([machineName, shownMachineName(machineName)].map(comparedMachineName))];
}
