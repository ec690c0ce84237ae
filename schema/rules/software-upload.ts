import { type InferType, mixed, type NumberSchema } from "yup";
import { type SoftwareFileField, softwareFileSentences } from "#schema/software-files.ts";
import { faultOfFile } from "#schema/software-upload.ts";
import { uploadSoftwareRules } from "./software.ts";

const file = (field: SoftwareFileField) =>
  mixed<File>()
    .nullable()
    .test("file", (given, { createError }) => {
      const fault = given ? faultOfFile(field, given) : null;
      return fault === null || createError({ message: fault });
    });

/** The upload as its form has it: the installer alone is enough, zip and `.vsto` come together. */
export const uploadFormRules = uploadSoftwareRules.shape({
  // What the select holds while nothing is chosen is no stage, rather than an unknown one.
  softwareStage: (uploadSoftwareRules.fields.softwareStage as NumberSchema<number>).transform(
    (value: unknown, original: unknown) => (original === "" ? undefined : value),
  ),
  installationFile: file("installationFile").required(softwareFileSentences.required),
  applicationFilesZipFile: file("applicationFilesZipFile").test(
    "together",
    softwareFileSentences.needsZip,
    (zip, { parent }: { parent: { vstoFile?: unknown } }) => Boolean(zip) || !parent.vstoFile,
  ),
  vstoFile: file("vstoFile").test(
    "together",
    softwareFileSentences.needsVsto,
    (vsto, { parent }: { parent: { applicationFilesZipFile?: unknown } }) =>
      Boolean(vsto) || !parent.applicationFilesZipFile,
  ),
});
export type UploadFormValues = InferType<typeof uploadFormRules>;
