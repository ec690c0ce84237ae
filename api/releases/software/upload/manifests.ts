import { readVersion } from "#api/releases/software/version.ts";
import { attributeOf, childrenOf, readManifestXml, textOf, type XmlElement } from "./manifest-xml.ts";

/** Hash algorithms of manifests, by the last part of their URIs. */
const digests = ["sha1", "sha256", "sha384", "sha512"] as const;
export type DigestName = (typeof digests)[number];

/** A manifest entry for a file. */
export interface NamedFile {
  /** Path relative to the manifest, with `/` as separator. */
  readonly path: string;
  /** Null if not stated. */
  readonly sizeBytes: number | null;
  /** Digests of the file's bytes. Hashes of a manifest's canonical form are left out. */
  readonly digests: readonly { readonly name: DigestName; readonly base64: string }[];
}

/** Content of a `.vsto`: the version and the entry for the application manifest. */
export interface DeploymentManifest {
  readonly name: string | null;
  readonly version: readonly number[];
  readonly application: NamedFile & { readonly version: readonly number[] | null };
  /** Whether all files except the manifest are downloaded with the extension `.deploy`. */
  readonly mapsExtensions: boolean;
}

/** Content of an application manifest: the version and the files that ClickOnce downloads. */
export interface ApplicationManifest {
  readonly version: readonly number[];
  readonly files: readonly NamedFile[];
}

/** An invalid manifest. The message is shown to the admin. */
export class ManifestError extends Error {}

/**
 * Parses a `.vsto`.
 * @returns null if it isn't a ClickOnce deployment manifest.
 * @throws ManifestError if required data is missing or invalid.
 */
export function readDeploymentManifest(content: Buffer): DeploymentManifest | null {
  const root = readManifestXml(content);
  const [deployment] = childrenOf(root ?? undefined, "deployment");
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
    mapsExtensions: attributeOf(deployment, "mapFileExtensions")?.toLowerCase() === "true",
  };
}

/**
 * Parses an application manifest.
 * @throws ManifestError if it isn't one, or an entry for a file is invalid.
 */
export function readApplicationManifest(content: Buffer): ApplicationManifest {
  const root = readManifestXml(content);
  const version = root && readIdentity(root).version;
  if (!root || !version) throw new ManifestError("The application manifest in the zip cannot be read.");
  const files = [
    ...readDependencies(root).map(({ file }) => file),
    ...childrenOf(root, "file").map((file) => readFileEntry(file, attributeOf(file, "name"))),
  ];
  return { version, files };
}

function readIdentity(element: XmlElement): { name: string | null; version: number[] | null } {
  const [identity] = childrenOf(element, "assemblyIdentity");
  const version = attributeOf(identity, "version");
  return {
    name: attributeOf(identity, "name"),
    version: version !== null && /^\d+(?:\.\d+){0,3}$/.test(version) ? readVersion(version) : null,
  };
}

/** Returns the entries of assemblies that are installed with the application. Prerequisites are left out. */
function readDependencies(root: XmlElement): { file: NamedFile; version: number[] | null }[] {
  return childrenOf(root, "dependency")
    .flatMap((dependency) => childrenOf(dependency, "dependentAssembly"))
    .filter((assembly) => attributeOf(assembly, "dependencyType")?.toLowerCase() !== "prerequisite")
    .filter((assembly) => assembly["@codebase"] !== undefined)
    .map((assembly) => ({
      file: readFileEntry(assembly, attributeOf(assembly, "codebase")),
      version: readIdentity(assembly).version,
    }));
}

function readFileEntry(element: XmlElement, path: string | null): NamedFile {
  if (!path) throw new ManifestError("A manifest names a file without a path.");
  const size = attributeOf(element, "size");
  if (size !== null && !/^\d{1,12}$/.test(size))
    throw new ManifestError("A manifest states a file size that cannot be read.");
  return {
    path: path.replaceAll("\\", "/"),
    sizeBytes: size === null ? null : Number(size),
    digests: childrenOf(element, "hash").flatMap(readDigests),
  };
}

function readDigests(hash: XmlElement): NamedFile["digests"] {
  const transforms = childrenOf(hash, "Transforms").flatMap((transforms) => childrenOf(transforms, "Transform"));
  const isHashOfBytes = transforms.every((one) => attributeOf(one, "Algorithm")?.endsWith("HashTransforms.Identity"));
  if (!isHashOfBytes) return [];
  const algorithm = attributeOf(childrenOf(hash, "DigestMethod")[0], "Algorithm")?.replace(/^.*#/, "").toLowerCase();
  const name = digests.find((one) => one === algorithm);
  const base64 = textOf(childrenOf(hash, "DigestValue")[0])?.replace(/\s/g, "");
  if (!name || !base64) throw new ManifestError("A manifest states a file hash that cannot be checked.");
  return [{ name, base64 }];
}
