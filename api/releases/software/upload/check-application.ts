import { compareVersions, readVersion, versionText } from "#api/releases/software/version.ts";
import type { AppError } from "#api/platform/errors.ts";
import {
  type ApplicationManifest,
  type DeploymentManifest,
  ManifestError,
  type NamedFile,
  readApplicationManifest,
} from "./manifests.ts";
import { refuseFile, shown } from "./refusals.ts";
import { faultOfPath, keyOfPath } from "./safe-path.ts";
import { readZipped, type ZippedFile } from "./zip-entries.ts";

/** A file of the zip at the path, below the `.vsto`, at which ClickOnce asks for it. */
export interface PlacedFile {
  readonly path: string;
  readonly zipped: ZippedFile;
}

/** In which every published version has a folder of its own. */
const APPLICATION_FILES = "Application Files";
/** A manifest of 1,000 files comes to some 600 kB. */
const LARGEST_MANIFEST_BYTES = 2_000_000;

const refuseZip = (sentence: string) => refuseFile("applicationFilesZipFile", sentence);
const refuseVsto = (sentence: string) => refuseFile("vstoFile", sentence);

/**
 * Checks that a zip is the application that a `.vsto` names: its manifest and every file that it names are there, with the
 * sizes and hashes that are stated, and all say the same version. Everything is read once, nothing is kept.
 * @throws AppError BAD_USER_INPUT with what does not agree, under the file at fault.
 */
export async function checkApplication(
  deployment: DeploymentManifest,
  zipped: readonly ZippedFile[],
): Promise<PlacedFile[]> {
  const { application } = deployment;
  const folder = folderOf(application);
  const files = placed(zipped, application.path, folder);
  const byKey = new Map(files.map((file) => [keyOfPath(file.path), file]));
  const manifestFile = byKey.get(keyOfPath(application.path));
  if (!manifestFile) throw refuseZip(`The zip lacks ${shown(application.path)}, which the vsto file names.`);
  refuseOtherVersions(deployment, folder);

  const manifest = await readManifest(manifestFile, application);
  if (compareVersions(manifest.version, deployment.version) !== 0)
    throw differ(`the application manifest in the zip ${versionText(manifest.version)}`, deployment);
  const claims = new Map<string, NamedFile>();
  for (const named of manifest.files) {
    const file = fileNamed(named, { folder, byKey, mapsExtensions: deployment.mapsExtensions });
    const key = keyOfPath(file.path);
    if (claims.has(key)) throw refuseZip(`The application manifest names ${shown(named.path)} twice.`);
    claims.set(key, named);
  }
  for (const file of files) if (file !== manifestFile) await checkFile(file, claims.get(keyOfPath(file.path)));
  return files;
}

/** The folder of the application manifest, which holds everything of this version. */
function folderOf({ path }: NamedFile): string {
  const segments = path.split("/");
  if (faultOfPath(path) !== null || segments.length !== 3 || segments[0] !== APPLICATION_FILES)
    throw refuseVsto(
      `The vsto file must name a manifest in a folder of “${APPLICATION_FILES}”, and names ${shown(path)}.`,
    );
  return segments.slice(0, 2).join("/");
}

/**
 * The zip's files at their paths below the `.vsto`. A zip is taken that holds `Application Files`, that folder inside of
 * one other, or the folder of the version alone.
 */
function placed(zipped: readonly ZippedFile[], manifestPath: string, folder: string): PlacedFile[] {
  const [top = ""] = zipped[0]?.path.split("/") ?? [];
  const ways: ((path: string) => string)[] = [
    (path) => path,
    (path) => (path.startsWith(`${top}/`) ? path.slice(top.length + 1) : path),
    (path) => `${APPLICATION_FILES}/${path}`,
  ];
  const wanted = keyOfPath(manifestPath);
  const way = ways.find((one) => zipped.some(({ path }) => keyOfPath(one(path)) === wanted));
  if (!way) throw refuseZip(`The zip lacks ${shown(manifestPath)}, which the vsto file names.`);
  const inFolder = `${keyOfPath(folder)}/`;
  return zipped.map((file) => {
    const path = way(file.path);
    if (!keyOfPath(path).startsWith(inFolder))
      throw refuseZip(
        `The zip holds ${shown(file.path)}, which is not in the folder of this version, ${shown(folder)}.`,
      );
    return { path, zipped: file };
  });
}

/** Refuses a folder or an identity in the `.vsto` that says another version than the `.vsto` itself. */
function refuseOtherVersions(deployment: DeploymentManifest, folder: string): void {
  const [, parts] = /_(\d+_\d+_\d+_\d+)$/.exec(folder) ?? [];
  const ofFolder = parts ? readVersion(parts.replaceAll("_", ".")) : null;
  if (ofFolder && compareVersions(ofFolder, deployment.version) !== 0)
    throw differ(`the zip's folder ${versionText(ofFolder)}`, deployment);
  const { version } = deployment.application;
  if (version && compareVersions(version, deployment.version) !== 0)
    throw differ(`the application it names ${versionText(version)}`, deployment);
}

function differ(other: string, { version }: DeploymentManifest): AppError {
  return refuseVsto(`The versions differ: the vsto file says ${versionText(version)}, ${other}.`);
}

async function readManifest(file: PlacedFile, named: NamedFile): Promise<ApplicationManifest> {
  if (file.zipped.sizeBytes > LARGEST_MANIFEST_BYTES)
    throw refuseZip("The application manifest in the zip is too large.");
  const parts: Buffer[] = [];
  await checkFile(file, named, (bytes) => parts.push(bytes));
  try {
    return readApplicationManifest(Buffer.concat(parts));
  } catch (error) {
    throw error instanceof ManifestError ? refuseZip(error.message) : error;
  }
}

/** The file of the zip that an entry of the application manifest leads to. */
function fileNamed(
  { path }: NamedFile,
  known: { folder: string; byKey: ReadonlyMap<string, PlacedFile>; mapsExtensions: boolean },
): PlacedFile {
  const fault = faultOfPath(path);
  if (fault) throw refuseZip(`The application manifest names a file that ${fault}: ${shown(path)}.`);
  const asked = `${known.folder}/${path}${known.mapsExtensions ? ".deploy" : ""}`;
  const file = known.byKey.get(keyOfPath(asked));
  if (!file) throw refuseZip(`The zip lacks ${shown(asked)}, which the application manifest names.`);
  return file;
}

/** Reads a file whole and compares it with what a manifest says of it, if one does. */
async function checkFile(file: PlacedFile, named?: NamedFile, take?: (bytes: Buffer) => void): Promise<void> {
  const found = await readZipped(file.zipped, named?.digests.map(({ name }) => name) ?? [], take);
  if (!named) return;
  const isAsStated =
    (named.sizeBytes ?? file.zipped.sizeBytes) === file.zipped.sizeBytes &&
    named.digests.every(({ base64 }, index) => base64 === found[index]);
  if (!isAsStated)
    throw refuseZip(`${shown(file.path)} is not the file that its manifest states: size or hash differ.`);
}
