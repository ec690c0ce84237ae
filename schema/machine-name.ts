/** The part of a machine name that people see: what stands before `|` (spec §2). */
export function shownMachineName(machineName: string): string {
  return machineName.split("|")[0]?.trim() || machineName;
}
