/** Returns the part of a machine name that people see: the part before `|`. */
export function shownMachineName(machineName: string): string {
  return machineName.split("|")[0]?.trim() || machineName;
}

/** A machine name as it is compared and kept in `blocked_machines.compared_name`: trimmed, lower case. */
export function comparedMachineName(machineName: string): string {
  return machineName.trim().toLowerCase();
}
