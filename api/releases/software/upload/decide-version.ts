import { compareVersions, readVersion, versionText } from "#api/releases/software/version.ts";
import { badInput } from "#api/platform/errors.ts";
import { versionRequired, type VersionSource } from "#schema/software-upload.ts";

/** What may say the version of a build, each null where it does not. */
export interface VersionSources {
  readonly vsto: readonly number[] | null;
  /** Of the installer's resources. */
  readonly program: readonly number[] | null;
  readonly installerName: string | null;
  /** As the sender typed it. */
  readonly given: string | undefined;
}

/** A version and where it was read. */
export interface DecidedVersion {
  readonly version: string;
  readonly source: VersionSource;
}

const wordsOfSource = {
  "vsto-file": "the vsto file",
  "installation-file": "the installation file",
  "file-name": "the name of the installation file",
} as const;

/**
 * Returns the version that an upload's files state: the `.vsto`, else the installer's resources, else its name. Without
 * any of them, the sender must state it; where both do, they must agree (decision 0042).
 * @throws AppError BAD_USER_INPUT if nothing states a version, or the sender states another one than the files.
 */
export function decideVersion({ vsto, program, installerName, given }: VersionSources): DecidedVersion {
  const [, inName] = /(?:^|[^\d.])v?(\d+(?:\.\d+){1,3})\.exe$/i.exec(installerName ?? "") ?? [];
  const stated = vsto ?? program ?? (inName ? readVersion(inName) : null);
  if (!stated) {
    if (!given) throw badInput({ version: [versionRequired] });
    return { version: given, source: "given" };
  }
  const source = vsto ? "vsto-file" : program ? "installation-file" : "file-name";
  const givenParts = given ? readVersion(given) : null;
  if (givenParts && compareVersions(givenParts, stated) !== 0)
    throw badInput({ version: [`Version is ${versionText(stated)} by ${wordsOfSource[source]}, not ${given}.`] });
  return { version: versionText(stated), source };
}
