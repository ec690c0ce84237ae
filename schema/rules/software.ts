import { type InferType, mixed, number, object, type StringSchema } from "yup";
import { softwareStages } from "#schema/catalogue.ts";
import { faultOfFile, type UploadedFile } from "#schema/software.ts";
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

/** A file as the form has it and as the server hears of it, before it has read how large it is. */
type FileFacts = { name: string; size?: number };

const fileOf = (which: UploadedFile) =>
  mixed<FileFacts>()
    .nullable()
    .test("file", (file, { createError }) => {
      const fault = file ? faultOfFile(which, file) : null;
      return fault === null || createError({ message: fault });
    });

/**
 * What is uploaded: the installer alone is enough, the zip and the `.vsto` come together (spec, admin §5; DOMAIN §8.13).
 * Without a version, it is read from the files.
 */
export const uploadSoftwareRules = object({
  softwareStage: stage()
    .transform((value: unknown, original: unknown) => (original === "" || original === null ? undefined : value))
    .required("Software stage is required."),
  version: version(),
  installationFile: fileOf("installationFile").required("Installation file is required."),
  applicationFilesZipFile: fileOf("applicationFilesZipFile").test(
    "together",
    "The zip file is needed as well: it and the .vsto file come together.",
    (zip, { parent }: { parent: { vstoFile?: unknown } }) => Boolean(zip) || !parent.vstoFile,
  ),
  vstoFile: fileOf("vstoFile").test(
    "together",
    "The .vsto file is needed as well: it and the zip file come together.",
    (vsto, { parent }: { parent: { applicationFilesZipFile?: unknown } }) =>
      Boolean(vsto) || !parent.applicationFilesZipFile,
  ),
});
export type UploadSoftwareValues = InferType<typeof uploadSoftwareRules>;
