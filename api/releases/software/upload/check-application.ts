import { compareVersions, parseVersion, formatVersion } from "#api/releases/software/version.ts";
import type { AppError } from "#api/platform/errors.ts";
import {
  type ApplicationManifest,
  type DeploymentManifest,
  ManifestError,
  type ManifestFile,
  parseApplicationManifest,
} from "./manifests.ts";
import { createFileError, quoteName } from "./upload-errors.ts";
import { findPathError, toPathKey } from "./safe-path.ts";
import { readZippedFile, type ZippedFile } from "./zip-entries.ts";

/** A file in the zip, with the path at which ClickOnce requests it, relative to the `.vsto`. */
export interface PlacedFile {
  readonly path: string;
  readonly zipped: ZippedFile;
}

/** Name of the folder with one subfolder per version. */
const APPLICATION_FILES = "Application Files";
/** Maximum size of an application manifest. One that lists 1,000 files takes about 600 kB. */
const MAX_MANIFEST_BYTES = 2_000_000;

const refuseZip = (sentence: string) => createFileError("applicationFilesZipFile", sentence);
const refuseVsto = (sentence: string) => createFileError("vstoFile", sentence);

/**
 * Checks that a zip contains the application of a `.vsto`: the application manifest and all its files exist, with the
 * stated sizes, hashes and version. Reads each file once without keeping it.
 * @throws AppError BAD_USER_INPUT under the field of the invalid file, with a message that describes the mismatch.
 */
export async function checkApplication(
  deployment: DeploymentManifest,
  zipped: readonly ZippedFile[],
): Promise<PlacedFile[]> {
  const { application } = deployment;
  const folder = getVersionFolder(application);
  const files = placeFiles(zipped, application.path, folder);
  const byKey = new Map(files.map((file) => [toPathKey(file.path), file]));
  const manifestFile = byKey.get(toPathKey(application.path));
  if (!manifestFile) throw refuseZip(`The zip lacks ${quoteName(application.path)}, which the vsto file names.`);
  checkVersions(deployment, folder);

  const manifest = await readManifest(manifestFile, application);
  if (compareVersions(manifest.version, deployment.version) !== 0)
    throw versionsDiffer(`the application manifest in the zip ${formatVersion(manifest.version)}`, deployment);
  const expected = new Map<string, ManifestFile>();
  for (const named of manifest.files) {
    const file = findNamedFile(named, { folder, byKey, mapsExtensions: deployment.mapsExtensions });
    const key = toPathKey(file.path);
    if (expected.has(key)) throw refuseZip(`The application manifest names ${quoteName(named.path)} twice.`);
    expected.set(key, named);
  }
  for (const file of files) if (file !== manifestFile) await checkFile(file, expected.get(toPathKey(file.path)));
  return files;
}

/** Returns the folder of the application manifest, which contains all files of the version. */
function getVersionFolder({ path }: ManifestFile): string {
  const segments = path.split("/");
  if (findPathError(path) !== null || segments.length !== 3 || segments[0] !== APPLICATION_FILES)
    throw refuseVsto(
      `The vsto file must name a manifest in a folder of “${APPLICATION_FILES}”, and names ${quoteName(path)}.`,
    );
  return segments.slice(0, 2).join("/");
}

/**
 * Returns the files in the zip with their paths relative to the `.vsto`. The zip may contain `Application Files`, one
 * folder around it, or only the folder of the version.
 */
function placeFiles(zipped: readonly ZippedFile[], manifestPath: string, folder: string): PlacedFile[] {
  const [top = ""] = zipped[0]?.path.split("/") ?? [];
  const mappings: ((path: string) => string)[] = [
    (path) => path,
    (path) => (path.startsWith(`${top}/`) ? path.slice(top.length + 1) : path),
    (path) => `${APPLICATION_FILES}/${path}`,
  ];
  const manifestKey = toPathKey(manifestPath);
  const toPath = mappings.find((mapping) => zipped.some(({ path }) => toPathKey(mapping(path)) === manifestKey));
  if (!toPath) throw refuseZip(`The zip lacks ${quoteName(manifestPath)}, which the vsto file names.`);
  const folderPrefix = `${toPathKey(folder)}/`;
  return zipped.map((file) => {
    const path = toPath(file.path);
    if (!toPathKey(path).startsWith(folderPrefix))
      throw refuseZip(
        `The zip contains ${quoteName(file.path)}, which is not in the folder of this version, ${quoteName(folder)}.`,
      );
    return { path, zipped: file };
  });
}

/** Rejects a `.vsto` whose folder name or application identity has a different version than the `.vsto` itself. */
function checkVersions(deployment: DeploymentManifest, folder: string): void {
  const [, parts] = /_(\d+_\d+_\d+_\d+)$/.exec(folder) ?? [];
  const folderVersion = parts ? parseVersion(parts.replaceAll("_", ".")) : null;
  if (folderVersion && compareVersions(folderVersion, deployment.version) !== 0)
    throw versionsDiffer(`the zip's folder ${formatVersion(folderVersion)}`, deployment);
  const { version } = deployment.application;
  if (version && compareVersions(version, deployment.version) !== 0)
    throw versionsDiffer(`the application it names ${formatVersion(version)}`, deployment);
}

function versionsDiffer(other: string, { version }: DeploymentManifest): AppError {
  return refuseVsto(`The versions differ: the vsto file says ${formatVersion(version)}, ${other}.`);
}

async function readManifest(file: PlacedFile, named: ManifestFile): Promise<ApplicationManifest> {
  if (file.zipped.sizeBytes > MAX_MANIFEST_BYTES) throw refuseZip("The application manifest in the zip is too large.");
  const parts: Buffer[] = [];
  await checkFile(file, named, (bytes) => parts.push(bytes));
  try {
    return parseApplicationManifest(Buffer.concat(parts));
  } catch (error) {
    throw error instanceof ManifestError ? refuseZip(error.message) : error;
  }
}

/** Returns the file in the zip that an entry of the application manifest refers to. */
function findNamedFile(
  { path }: ManifestFile,
  known: { folder: string; byKey: ReadonlyMap<string, PlacedFile>; mapsExtensions: boolean },
): PlacedFile {
  const problem = findPathError(path);
  if (problem) throw refuseZip(`The application manifest names a file that ${problem}: ${quoteName(path)}.`);
  const zipPath = `${known.folder}/${path}${known.mapsExtensions ? ".deploy" : ""}`;
  const file = known.byKey.get(toPathKey(zipPath));
  if (!file) throw refuseZip(`The zip lacks ${quoteName(zipPath)}, which the application manifest names.`);
  return file;
}

/** Reads a whole file and compares its size and hashes with its manifest entry, if any. */
async function checkFile(file: PlacedFile, named?: ManifestFile, take?: (bytes: Buffer) => void): Promise<void> {
  const found = await readZippedFile(file.zipped, named?.digests.map(({ name }) => name) ?? [], take);
  if (!named) return;
  const matches =
    (named.sizeBytes ?? file.zipped.sizeBytes) === file.zipped.sizeBytes &&
    named.digests.every(({ base64 }, index) => base64 === found[index]);
  if (!matches) throw refuseZip(`${quoteName(file.path)} doesn't match its manifest: size or hash differ.`);
}
