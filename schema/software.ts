import { boolean, type InferType, object, type StringSchema } from "yup";
import { listValues } from "./closed-list.ts";
import { softwareStages } from "./software-stages.ts";
import { emptyToUndefined, line, numberLine, numeric } from "./text.ts";

// Pages that only read builds import them from their own file, without the rules.
export * from "./software-stages.ts";

/** Largest number that Windows installers and .NET support in a version. */
export const MAX_VERSION_PART = 65_535;

const STAGE_UNKNOWN = `Software stage must be one of ${softwareStages.map(({ value }) => value).join(", ")}.`;
const stage = () =>
  numeric()
    .typeError(STAGE_UNKNOWN)
    .oneOf<number>(listValues(softwareStages), STAGE_UNKNOWN)
    .meta({ list: () => softwareStages });
/** The empty choice of a select means no stage, not an unknown one. */
const requiredStage = () => stage().transform(emptyToUndefined).required("Software stage is required.");

/** Returns the rule for a version: one to four numbers separated by dots, such as 7.2.0. */
function version(): StringSchema<string | undefined> {
  return numberLine(50, "Version is too long.")
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
export const minimumVersionRules = object({ stage: requiredStage(), version: version() });

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
    .matches(/^[a-z0-9](?:[a-z0-9 _-]|\.[a-z0-9])*\.exe$/i, {
      message: "File name must end in .exe and may contain only letters, digits, spaces, dots, _ and -.",
      excludeEmptyString: true,
    }),
});
export type AddBuildValues = InferType<typeof addBuildRules>;

/** Rules for the fields of an upload, other than its files. If there is no version, it is read from the files. */
export const uploadSoftwareRules = object({ softwareStage: requiredStage(), version: version() });
export type UploadSoftwareValues = InferType<typeof uploadSoftwareRules>;

const fileName = () => line(200, "File name is too long.");

/** Rules for the REST upload, with the file names that a JSON body includes and the option to publish immediately. */
export const softwareUploadRequestRules = uploadSoftwareRules.shape({
  publish: boolean().typeError("Publish must be true or false."),
  installationFileName: fileName(),
  applicationFilesZipFileName: fileName(),
  vstoFileName: fileName(),
});
