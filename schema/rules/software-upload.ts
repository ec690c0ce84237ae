import { type InferType, mixed, type NumberSchema } from "yup";
import { type SoftwareFileField, softwareFileErrors } from "#schema/software-files.ts";
import { findFileError } from "#schema/software-upload.ts";
import { uploadSoftwareRules } from "./software.ts";

const file = (field: SoftwareFileField) =>
  mixed<File>()
    .nullable()
    .test("file", (given, { createError }) => {
      const problem = given ? findFileError(field, given) : null;
      return problem === null || createError({ message: problem });
    });

/** Rules for the upload form. Only the installer is required; the zip and the `.vsto` file must come together. */
export const uploadFormRules = uploadSoftwareRules.shape({
  // The empty choice of the select means no stage, not an unknown one.
  softwareStage: (uploadSoftwareRules.fields.softwareStage as NumberSchema<number>).transform(
    (value: unknown, original: unknown) => (original === "" ? undefined : value),
  ),
  installationFile: file("installationFile").required(softwareFileErrors.required),
  applicationFilesZipFile: file("applicationFilesZipFile").test(
    "together",
    softwareFileErrors.needsZip,
    (zip, { parent }: { parent: { vstoFile?: unknown } }) => Boolean(zip) || !parent.vstoFile,
  ),
  vstoFile: file("vstoFile").test(
    "together",
    softwareFileErrors.needsVsto,
    (vsto, { parent }: { parent: { applicationFilesZipFile?: unknown } }) =>
      Boolean(vsto) || !parent.applicationFilesZipFile,
  ),
});
export type UploadFormValues = InferType<typeof uploadFormRules>;
