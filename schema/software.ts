import { boolean, type InferType, number, object, type StringSchema } from "yup";
import { type CodeOf, defineList, findEntry, listValues } from "./closed-list.ts";
import { line } from "./text.ts";

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

/** Largest number that Windows installers and .NET support in a version. */
export const MAX_VERSION_PART = 65_535;

const STAGE_UNKNOWN = `Software stage must be one of ${softwareStages.map(({ value }) => value).join(", ")}.`;
const stage = () =>
  number()
    .typeError(STAGE_UNKNOWN)
    .oneOf<number>(listValues(softwareStages), STAGE_UNKNOWN)
    .meta({ list: () => softwareStages });
const requiredStage = () => stage().required("Software stage is required.");

/** Returns the rule for a version: one to four numbers separated by dots, such as 7.2.0. */
function version(): StringSchema<string | undefined> {
  return line(50, "Version is too long.")
    .matches(/^\d+(?:\.\d+){0,3}$/, {
      message: "Version must be one to four numbers separated by dots, such as 7.2.0.",
      excludeEmptyString: true,
    })
    .test(
      "parts",
      `Each number of a version must be at most ${MAX_VERSION_PART}.`,
      (text) => !text || !/^[\d.]+$/.test(text) || text.split(".").every((part) => Number(part) <= MAX_VERSION_PART),
    );
}

/** Rules for the add-in's update check. Without a stage, Production applies. */
export const updateCheckRules = object({
  stage: stage(),
  version: line(50, "Version is too long.").required("Version is required."),
});
export type UpdateCheckValues = InferType<typeof updateCheckRules>;

/** Rules for setting the minimum version. Without a version, all versions may run. */
export const minimumVersionRules = object({
  stage: requiredStage(),
  version: version(),
});

/** Rules for the list of builds in one stage or in all stages. */
export const softwareBuildsRules = object({ stage: stage() });

/** Rules for giving a draft its version. */
export const buildVersionRules = object({ version: version().required("Version is required.") });

/** Rules for copying a build to another stage, and for rolling back a stage. */
export const softwareStageRules = object({ stage: requiredStage() });

/** Rules for adding a build. The file name appears in users' downloads folders. */
export const addBuildRules = object({
  stage: requiredStage(),
  /** Empty for a draft whose files don't state one. */
  version: version().default(""),
  fileName: line(100, "File name is too long.")
    .required("Installation file is required.")
    .matches(/^[a-z0-9](?:[a-z0-9 _-]|\.(?=[a-z0-9]))*\.exe$/i, {
      message: "File name must end in .exe and may contain only letters, digits, spaces, dots, _ and -.",
      excludeEmptyString: true,
    }),
});
export type AddBuildValues = InferType<typeof addBuildRules>;

/** Rules for the fields of an upload, other than its files. If there is no version, it is read from the files. */
export const uploadSoftwareRules = object({
  softwareStage: requiredStage(),
  version: version(),
});

const fileName = () => line(200, "File name is too long.");

/** Rules for the REST upload, with the file names that a JSON body includes and the option to publish immediately. */
export const softwareUploadRequestRules = uploadSoftwareRules.shape({
  publish: boolean().typeError("Publish must be true or false."),
  installationFileName: fileName(),
  applicationFilesZipFileName: fileName(),
  vstoFileName: fileName(),
});
