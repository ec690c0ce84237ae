import { parseVersion } from "#api/releases/software/version.ts";
import { getAttribute, getChildren, parseManifestXml, getText, type XmlElement } from "./manifest-xml.ts";

/** Hash algorithms used in manifests, named by the last part of their URIs. */
const digests = ["sha1", "sha256", "sha384", "sha512"] as const;
export type DigestName = (typeof digests)[number];

/** A manifest entry for a file. */
export interface ManifestFile {
  /** Path relative to the manifest, with `/` as separator. */
  readonly path: string;
  /** Size of the file in bytes. Null if it isn't stated. */
  readonly sizeBytes: number | null;
  /** Digests of the file's bytes. Hashes of a manifest's canonical form are left out. */
  readonly digests: readonly { readonly name: DigestName; readonly base64: string }[];
}

/** Content of a `.vsto`: the version and the entry for the application manifest. */
export interface DeploymentManifest {
  readonly name: string | null;
  readonly version: readonly number[];
  readonly application: ManifestFile & { readonly version: readonly number[] | null };
  /** Whether all files except the manifest are downloaded with the extension `.deploy`. */
  readonly mapsExtensions: boolean;
}

/** Content of an application manifest: the version and the files that ClickOnce downloads. */
export interface ApplicationManifest {
  readonly version: readonly number[];
  readonly files: readonly ManifestFile[];
}

/** An invalid manifest. The message is shown to the admin. */
export class ManifestError extends Error {}

/**
 * Parses a `.vsto`.
 * @returns null if it isn't a ClickOnce deployment manifest.
 * @throws ManifestError if required data is missing or invalid.
 */
export function parseDeploymentManifest(content: Buffer): DeploymentManifest | null {
  const root = parseManifestXml(content);
  const [deployment] = getChildren(root ?? undefined, "deployment");
  if (!root || !deployment) return null;
  const { name, version } = readIdentity(root);
  if (!version) throw new ManifestError("The vsto file does not state its version.");
  const dependencies = readDependencies(root);
  const [application] = dependencies;
  if (!application || dependencies.length > 1)
    throw new ManifestError("The vsto file must name the manifest of one application.");
  return {
    name,
    version,
    application: { ...application.file, version: application.version },
    mapsExtensions: getAttribute(deployment, "mapFileExtensions")?.toLowerCase() === "true",
  };
}

/**
 * Parses an application manifest.
 * @throws ManifestError if it isn't one, or an entry for a file is invalid.
 */
export function parseApplicationManifest(content: Buffer): ApplicationManifest {
  const root = parseManifestXml(content);
  const version = root && readIdentity(root).version;
  if (!root || !version) throw new ManifestError("The application manifest in the zip cannot be read.");
  const files = [
    ...readDependencies(root).map(({ file }) => file),
    ...getChildren(root, "file").map((file) => readFileEntry(file, getAttribute(file, "name"))),
  ];
  return { version, files };
}

function readIdentity(element: XmlElement): { name: string | null; version: number[] | null } {
  const [identity] = getChildren(element, "assemblyIdentity");
  const version = getAttribute(identity, "version");
  return {
    name: getAttribute(identity, "name"),
    version: version !== null && /^\d+(?:\.\d+){0,3}$/.test(version) ? parseVersion(version) : null,
  };
}

/** Returns the entries of assemblies that are installed with the application. Prerequisites are left out. */
function readDependencies(root: XmlElement): { file: ManifestFile; version: number[] | null }[] {
  return getChildren(root, "dependency")
    .flatMap((dependency) => getChildren(dependency, "dependentAssembly"))
    .filter((assembly) => getAttribute(assembly, "dependencyType")?.toLowerCase() !== "prerequisite")
    .filter((assembly) => assembly["@codebase"] !== undefined)
    .map((assembly) => ({
      file: readFileEntry(assembly, getAttribute(assembly, "codebase")),
      version: readIdentity(assembly).version,
    }));
}

function readFileEntry(element: XmlElement, path: string | null): ManifestFile {
  if (!path) throw new ManifestError("A manifest names a file without a path.");
  const size = getAttribute(element, "size");
  if (size !== null && !/^\d{1,12}$/.test(size))
    throw new ManifestError("A manifest states a file size that cannot be read.");
  return {
    path: path.replaceAll("\\", "/"),
    sizeBytes: size === null ? null : Number(size),
    digests: getChildren(element, "hash").flatMap(readDigests),
  };
}

function readDigests(hash: XmlElement): ManifestFile["digests"] {
  const transforms = getChildren(hash, "Transforms").flatMap((transforms) => getChildren(transforms, "Transform"));
  const isHashOfBytes = transforms.every((one) => getAttribute(one, "Algorithm")?.endsWith("HashTransforms.Identity"));
  if (!isHashOfBytes) return [];
  const algorithm = getAttribute(getChildren(hash, "DigestMethod")[0], "Algorithm")?.replace(/^.*#/, "").toLowerCase();
  const name = digests.find((one) => one === algorithm);
  const base64 = getText(getChildren(hash, "DigestValue")[0])?.replace(/\s/g, "");
  if (!name || !base64) throw new ManifestError("A manifest states a file hash that cannot be checked.");
  return [{ name, base64 }];
}
