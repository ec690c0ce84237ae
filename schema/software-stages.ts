import { type CodeOf, defineList, findEntry } from "./closed-list.ts";

/** Release channels of the add-in. `path` is used in download URLs. */
export const softwareStages = defineList("SoftwareStage", "A release channel of the add-in.", [
  { code: "PRODUCTION", value: 4, label: "Production", path: "production", description: "Builds for all customers." },
  { code: "ALPHA", value: 2, label: "Alpha", path: "alpha", description: "First builds for testers." },
  { code: "BETA", value: 3, label: "Beta", path: "beta", description: "Later builds for testers." },
  {
    code: "PRODUCTION_OLD_XT101",
    value: 1,
    label: "Production (old xt101)",
    path: "production-xt101",
    description: "The former production channel xt101.",
  },
  {
    code: "SPECIAL_VERSION_XT333",
    value: 5,
    label: "Special Version (xt333)",
    path: "special-xt333",
    description: "The special version xt333.",
  },
  {
    code: "SPECIAL_VERSION_XT223",
    value: 6,
    label: "Special Version (xt223)",
    path: "special-xt223",
    description: "The special version xt223.",
  },
] as const);

type SoftwareStageCode = CodeOf<typeof softwareStages>;

/** Values of the stages that code names. */
export const SoftwareStage = { Production: 4, Alpha: 2, Beta: 3 } as const;

/** Returns the stage that a build of a stage is promoted to: Alpha to Beta to Production. Undefined for any other stage. */
export function getNextStage(stage: number | SoftwareStageCode) {
  const order: readonly number[] = [SoftwareStage.Alpha, SoftwareStage.Beta, SoftwareStage.Production];
  const at = order.indexOf(findEntry(softwareStages, stage)?.value ?? -1);
  const next = at < 0 ? undefined : order[at + 1];
  return softwareStages.find(({ value }) => value === next);
}

/** Returns the download path of a stage's current installer, or undefined for an unknown stage. */
export function getInstallerPath(stage: number | SoftwareStageCode): string | undefined {
  const known = findEntry(softwareStages, stage);
  return known && `/software/${known.path}/setup.exe`;
}

/** Stages offered to testers in addition to Production. */
export const testStages: readonly number[] = [SoftwareStage.Alpha, SoftwareStage.Beta];
