import { boolean, type InferType, number, object, type StringSchema } from "yup";
import { softwareStages } from "#schema/catalogue.ts";
import { line } from "./text.ts";

/** The largest number in a version that Windows' installers and .NET know. */
export const MAX_VERSION_PART = 65_535;

const STAGE_UNKNOWN = `Software stage must be one of ${softwareStages.map(({ value }) => value).join(", ")}.`;
const stage = () =>
  number()
    .typeError(STAGE_UNKNOWN)
    .oneOf(
      softwareStages.map(({ value }) => value as number),
      STAGE_UNKNOWN,
    );

/** A version as a vendor gives it: one to four numbers with dots between, such as 7.2.0. */
function version(): StringSchema<string | undefined> {
  return line(50, "Version is too long.")
    .matches(/^\d+(?:\.\d+){0,3}$/, {
      message: "Version must be one to four numbers with dots between, such as 7.2.0.",
      excludeEmptyString: true,
    })
    .test(
      "parts",
      `No number of a version may be above ${MAX_VERSION_PART}.`,
      (text) => !text || !/^[\d.]+$/.test(text) || text.split(".").every((part) => Number(part) <= MAX_VERSION_PART),
    );
}

/** What an add-in is offered as an update: it tells its stage (Production when it does not) and its version. */
export const updateCheckRules = object({
  stage: stage(),
  version: line(50, "Version is too long.").required("Version is required."),
});
export type UpdateCheckValues = InferType<typeof updateCheckRules>;

/** The oldest version of a stage that may run; without a version, all may. */
export const minimumVersionRules = object({
  stage: stage().required("Software stage is required."),
  version: version(),
});

/** Whose builds are listed: those of a stage, or of all. */
export const softwareBuildsRules = object({ stage: stage() });

/** Which stage is rolled back. */
export const rollBackRules = object({ stage: stage().required("Software stage is required.") });

/** What is said of a build that is added. The name is the one people find in their downloads folder. */
export const addBuildRules = object({
  stage: stage().required("Software stage is required."),
  version: version().required("Version is required."),
  fileName: line(100, "File name is too long.")
    .required("Installation file is required.")
    .matches(/^[a-z0-9](?:[a-z0-9 _-]|\.(?=[a-z0-9]))*\.exe$/i, {
      message: "File name must end in .exe and hold letters, digits, spaces, dots, _ and - alone.",
      excludeEmptyString: true,
    }),
});
export type AddBuildValues = InferType<typeof addBuildRules>;

/** What is said of a build that is uploaded, besides its files. Without a version, the files say it. */
export const uploadSoftwareRules = object({
  softwareStage: stage().required("Software stage is required."),
  version: version(),
});

const fileName = () => line(200, "File name is too long.");

/** The same with the file names that a JSON body has to tell, and the wish to publish at once. */
export const softwareUploadCallRules = uploadSoftwareRules.shape({
  publish: boolean().typeError("Publish must be true or false."),
  installationFileName: fileName(),
  applicationFilesZipFileName: fileName(),
  vstoFileName: fileName(),
});
