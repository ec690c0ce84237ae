import { compareVersions, parseVersion, formatVersion } from "#api/releases/software/version.ts";
import { badInput } from "#api/platform/errors.ts";
import type { VersionSource } from "#schema/software-upload.ts";

/** Versions stated by the possible sources. Each is null if its source states none. */
export interface VersionSources {
  readonly vsto: readonly number[] | null;
  /** Version in the installer's resources. */
  readonly program: readonly number[] | null;
  readonly installerName: string | null;
  /** Version entered by the admin. */
  readonly given: string | undefined;
}

export interface DecidedVersion {
  /** Empty if there is none yet. */
  readonly version: string;
  readonly source: VersionSource | null;
}

const sourceNames = {
  "vsto-file": "the vsto file",
  "installation-file": "the installation file",
  "file-name": "the name of the installation file",
} as const;

/**
 * Returns the version stated by the files of an upload: the `.vsto`, else the installer's resources, else the
 * installer's name. If none of them states a version, the admin enters it, at the latest before publishing; a version
 * entered anyway must match the files (decision 0042).
 * @throws AppError BAD_USER_INPUT if the entered version differs from the files.
 */
export function decideVersion({ vsto, program, installerName, given }: VersionSources): DecidedVersion {
  const [, versionInName] = /(?:^|[^\d.])v?(\d+(?:\.\d+){1,3})\.exe$/i.exec(installerName ?? "") ?? [];
  const stated = vsto ?? program ?? (versionInName ? parseVersion(versionInName) : null);
  if (!stated) {
    return given ? { version: given, source: "given" } : { version: "", source: null };
  }
  const source = vsto ? "vsto-file" : program ? "installation-file" : "file-name";
  const givenParts = given ? parseVersion(given) : null;
  if (givenParts && compareVersions(givenParts, stated) !== 0)
    throw badInput({ version: [`The version in ${sourceNames[source]} is ${formatVersion(stated)}, not ${given}.`] });
  return { version: formatVersion(stated), source };
}
