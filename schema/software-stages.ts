import { type CodeOf, defineList, findEntry } from "./closed-list.ts";

/** Release channels of the add-in. `path` is used in download URLs. */
export const softwareStages = defineList("SoftwareStage", "A release channel of the add-in.", {
  PRODUCTION: [4, "Production", "Builds for all customers.", { path: "production" }],
  ALPHA: [2, "Alpha", "First builds for testers.", { path: "alpha" }],
  BETA: [3, "Beta", "Later builds for testers.", { path: "beta" }],
  PRODUCTION_OLD_XT101: [
    1,
    "Production (old xt101)",
    "The former production channel xt101.",
    { path: "production-xt101" },
  ],
  SPECIAL_VERSION_XT333: [5, "Special Version (xt333)", "The special version xt333.", { path: "special-xt333" }],
  SPECIAL_VERSION_XT223: [6, "Special Version (xt223)", "The special version xt223.", { path: "special-xt223" }],
});

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
