/** Files of an upload, by their field in forms and API calls (docs/domain.md#software). */
export const softwareFiles = {
  installationFile: { label: "installation file", extension: ".exe", maxBytes: 25_600_000 },
  applicationFilesZipFile: { label: "application files zip", extension: ".zip", maxBytes: 62_914_560 },
  vstoFile: { label: "vsto file", extension: ".vsto", maxBytes: 1_024_000 },
} as const;

export type SoftwareFileField = keyof typeof softwareFiles;

/** Fields in the order in which the form shows them. */
export const softwareFileFields = Object.keys(softwareFiles) as SoftwareFileField[];

/** Error messages for rejected files. */
export const softwareFileErrors = {
  required: "Installation file is required.",
  unsupported: "File type is not supported.",
  tooLarge: "File is too large.",
  needsVsto: "The vsto file is required with the application files.",
  needsZip: "The application files are required with the vsto file.",
} as const;
