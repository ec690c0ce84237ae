import { defineList, type ValueOf } from "./closed-list.ts";

/** Kinds of the files of a build, other than its installer. */
export const softwareFileKinds = defineList("SoftwareFileKind", "The kind of a file of a build.", [
  {
    code: "DEPLOYMENT_MANIFEST",
    value: "deployment-manifest",
    label: "Deployment manifest",
    description: "The .vsto file that ClickOnce requests first.",
  },
  {
    code: "APPLICATION_FILE",
    value: "application-file",
    label: "Application file",
    description: "A file that ClickOnce then installs.",
  },
] as const);
export type SoftwareFileKind = ValueOf<typeof softwareFileKinds>;

/** Files of an upload, by their field in forms and API calls (docs/domain.md#software). */
export const softwareFiles = {
  installationFile: { label: "installation file", extension: ".exe", maxBytes: 25_600_000 },
  applicationFilesZipFile: { label: "application files zip", extension: ".zip", maxBytes: 62_914_560 },
  vstoFile: { label: "vsto file", extension: ".vsto", maxBytes: 1_024_000 },
} as const;

export type SoftwareFileField = keyof typeof softwareFiles;

/** Fields in the order in which the form shows them. */
export const softwareFileFields = Object.keys(softwareFiles) as SoftwareFileField[];

export const softwareFileErrors = {
  required: "Installation file is required.",
  unsupported: "File type is not supported.",
  tooLarge: "File is too large.",
  needsVsto: "The vsto file is required with the application files.",
  needsZip: "The application files are required with the vsto file.",
} as const;
