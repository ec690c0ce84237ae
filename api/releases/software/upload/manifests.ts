import { parseVersion } from "#api/releases/software/version.ts";
import { XMLParser, XMLValidator } from "fast-xml-parser";

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
  /** True if all files except the manifest are downloaded with the extension `.deploy`. */
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

/** An element of a manifest: attributes as `@name`, children by name, without namespace prefixes. */
interface XmlElement {
  readonly [name: string]: unknown;
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  // The parser never expands entities; `decodeEntities` replaces the five predefined ones.
  processEntities: false,
  // Always return lists, even for a single element.
  isArray: (_name, _path, _isLeaf, isAttribute) => !isAttribute,
  maxNestedTags: 40,
});

/** Maximum number of elements in a manifest, estimated by counting `<`. */
const MAX_TAGS = 60_000;
const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/**
 * Parses a manifest and returns its root element. Rejects DTDs, custom entities, deep nesting and too many elements, and never
 * fetches anything.
 * @returns null if the XML is invalid or its root isn't `assembly`.
 */
function parseManifestXml(content: Buffer): XmlElement | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(content);
    if (!/^\s*</.test(text) || /<!(?:doctype|entity|element|attlist|notation)/i.test(text)) return null;
    if (countOccurrences(text, "<") > MAX_TAGS || countOccurrences(text, "=") > 4 * MAX_TAGS) return null;
    if (XMLValidator.validate(text) !== true) return null;
    return getChildren(parser.parse(text) as XmlElement, "assembly")[0] ?? null;
  } catch {
    return null;
  }
}

function getChildren(element: XmlElement | undefined, name: string): XmlElement[] {
  const children = element?.[name];
  if (!Array.isArray(children)) return [];
  return children.map((child) => (typeof child === "object" && child !== null ? child : { "#text": child }));
}

/** Returns the value of an attribute, or null if it is missing or contains an unknown entity. */
function getAttribute(element: XmlElement | undefined, name: string): string | null {
  return decodeEntities(element?.[`@${name}`]);
}

/** Returns the text of an element, or null if it has none or contains an unknown entity. */
function getText(element: XmlElement | undefined): string | null {
  return decodeEntities(element?.["#text"]);
}

function decodeEntities(raw: unknown): string | null {
  if (typeof raw !== "string") return null;
  let isValid = true;
  const text = raw.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));?/gi, (_whole, decimal, hex, name) => {
    const code = decimal ? Number(decimal) : hex ? Number.parseInt(hex as string, 16) : null;
    const character =
      code === null ? entities[name as string] : code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
    if (character === undefined) isValid = false;
    return character ?? "";
  });
  return isValid ? text : null;
}

function countOccurrences(text: string, sign: string): number {
  let count = 0;
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) count++;
  return count;
}
