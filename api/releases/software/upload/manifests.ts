import { readVersion } from "#api/releases/software/version.ts";
import { attributeOf, childrenOf, readManifestXml, textOf, type XmlElement } from "./manifest-xml.ts";

/** Digests that manifests are made with, by the last part of their algorithm's address. */
const digests = ["sha1", "sha256", "sha384", "sha512"] as const;
export type DigestName = (typeof digests)[number];

/** What a manifest says of a file. */
export interface NamedFile {
  /** Relative to the manifest, with `/` between. */
  readonly path: string;
  /** Null where it is not stated. */
  readonly sizeBytes: number | null;
  /** Of the bytes as they are; hashes of a manifest's canonical form are not among them. */
  readonly digests: readonly { readonly name: DigestName; readonly base64: string }[];
}

/** What the `.vsto` says: the version, and where the manifest of its application lies. */
export interface DeploymentManifest {
  readonly name: string | null;
  readonly version: readonly number[];
  readonly application: NamedFile & { readonly version: readonly number[] | null };
  /** Whether every file but the manifest is called `….deploy` where it is fetched. */
  readonly mapsExtensions: boolean;
}

/** What the application manifest says: its version and the files that ClickOnce fetches. */
export interface ApplicationManifest {
  readonly version: readonly number[];
  readonly files: readonly NamedFile[];
}

/** A manifest that can't be relied on; the message is a sentence for people. */
export class ManifestError extends Error {}

/**
 * Reads a `.vsto`. @returns null when it is no ClickOnce deployment manifest at all.
 * @throws ManifestError when it is one that leaves out or garbles what is needed.
 */
export function readDeploymentManifest(content: Buffer): DeploymentManifest | null {
  const root = readManifestXml(content);
  const [deployment] = childrenOf(root ?? undefined, "deployment");
  if (!root || !deployment) return null;
  const { name, version } = identityOf(root);
  if (!version) throw new ManifestError("The vsto file does not state its version.");
  const installed = namedDependencies(root);
  const [application] = installed;
  if (!application || installed.length > 1)
    throw new ManifestError("The vsto file must name the manifest of one application.");
  return {
    name,
    version,
    application: { ...application.file, version: application.version },
    mapsExtensions: attributeOf(deployment, "mapFileExtensions")?.toLowerCase() === "true",
  };
}

/**
 * Reads the manifest of an application.
 * @throws ManifestError when it is none, or names a file in a way that can't be followed.
 */
export function readApplicationManifest(content: Buffer): ApplicationManifest {
  const root = readManifestXml(content);
  const version = root && identityOf(root).version;
  if (!root || !version) throw new ManifestError("The application manifest in the zip cannot be read.");
  const files = [
    ...namedDependencies(root).map(({ file }) => file),
    ...childrenOf(root, "file").map((file) => namedFile(file, attributeOf(file, "name"))),
  ];
  return { version, files };
}

function identityOf(element: XmlElement): { name: string | null; version: number[] | null } {
  const [identity] = childrenOf(element, "assemblyIdentity");
  const version = attributeOf(identity, "version");
  return {
    name: attributeOf(identity, "name"),
    version: version !== null && /^\d+(?:\.\d+){0,3}$/.test(version) ? readVersion(version) : null,
  };
}

/** The assemblies that come with the application; those that must be there already have no codebase. */
function namedDependencies(root: XmlElement): { file: NamedFile; version: number[] | null }[] {
  return childrenOf(root, "dependency")
    .flatMap((dependency) => childrenOf(dependency, "dependentAssembly"))
    .filter((assembly) => attributeOf(assembly, "dependencyType")?.toLowerCase() !== "prerequisite")
    .filter((assembly) => assembly["@codebase"] !== undefined)
    .map((assembly) => ({
      file: namedFile(assembly, attributeOf(assembly, "codebase")),
      version: identityOf(assembly).version,
    }));
}

function namedFile(element: XmlElement, path: string | null): NamedFile {
  if (!path) throw new ManifestError("A manifest names a file without saying where it is.");
  const size = attributeOf(element, "size");
  if (size !== null && !/^\d{1,12}$/.test(size))
    throw new ManifestError("A manifest states the size of a file in a way that cannot be read.");
  return {
    path: path.replaceAll("\\", "/"),
    sizeBytes: size === null ? null : Number(size),
    digests: childrenOf(element, "hash").flatMap(digestsOf),
  };
}

function digestsOf(hash: XmlElement): NamedFile["digests"] {
  const transforms = childrenOf(hash, "Transforms").flatMap((transforms) => childrenOf(transforms, "Transform"));
  const isOfBytes = transforms.every((one) => attributeOf(one, "Algorithm")?.endsWith("HashTransforms.Identity"));
  if (!isOfBytes) return [];
  const algorithm = attributeOf(childrenOf(hash, "DigestMethod")[0], "Algorithm")?.replace(/^.*#/, "").toLowerCase();
  const name = digests.find((one) => one === algorithm);
  const base64 = textOf(childrenOf(hash, "DigestValue")[0])?.replace(/\s/g, "");
  if (!name || !base64)
    throw new ManifestError("A manifest states the hash of a file in a way that cannot be checked.");
  return [{ name, base64 }];
}
