/** Returns the part of a machine name that people see: the part before `|`. */
export function shownMachineName(machineName: string): string {
  return machineName.split("|")[0]?.trim() || machineName;
}

/** A machine name as it is compared and kept in `blocked_machines.compared_name`: trimmed, lower case. */
export function comparedMachineName(machineName: string): string {
  return machineName.trim().toLowerCase();
}

/** Returns the names under which a machine may be blocked: whole, and the part before `|`. */
export function comparedMachineNames(machineName: string): string[] {
  return [...new Set([machineName, shownMachineName(machineName)].map(comparedMachineName))];
}
