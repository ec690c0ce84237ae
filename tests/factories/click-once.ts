import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import * as resedit from "resedit";
import { ZipFile } from "yazl";

/** A build as the vendor's tools create it: an installer and a ClickOnce application. */
export type ClickOnceBuild = Awaited<ReturnType<typeof createClickOnceBuild>>;

/** Differences from a build that the vendor's tools create. */
export interface ClickOnceChanges {
  readonly name?: string;
  /** Application files by path relative to the version's folder, without `.deploy`. */
  readonly payload?: Readonly<Record<string, Buffer | string>>;
  readonly digest?: "sha1" | "sha256";
  /** True if file names end in `.deploy` and the `.vsto` declares this. */
  readonly mapFileExtensions?: boolean;
  /** Changes the path of a file in the zip, for example by adding a folder. */
  readonly pathInZip?: (path: string) => string;
  /** Changes the text of a manifest before it is hashed. */
  readonly applicationManifest?: (xml: string) => string;
  readonly deploymentManifest?: (xml: string) => string;
  /** Changes the zip's files after they are hashed. */
  readonly zipped?: (files: Map<string, Buffer>) => void;
  readonly installer?: Buffer;
  /** True if the zip compresses its files. The default is true. */
  readonly compress?: boolean;
}

const DEFAULT_PAYLOAD: Readonly<Record<string, Buffer | string>> = {
  "Planvarro.dll": "the add-in itself",
  "Planvarro.dll.config": "<configuration />",
  "de/Planvarro.resources.dll": "Wörter",
  "Images/icon one.ico": Buffer.from([0, 0, 1, 0, 1, 0, 16, 16]),
};

/** Creates a build whose manifests list every file with its size and hash. */
export async function createClickOnceBuild(version: string, changes: ClickOnceChanges = {}) {
  const { name = "Planvarro", payload = DEFAULT_PAYLOAD, digest = "sha256", mapFileExtensions = true } = changes;
  const parts = splitVersion(version);
  const folder = `${name}_${parts.join("_")}`;
  const base = `Application Files/${folder}`;
  const contents = Object.entries(payload).map(([path, content]) => [path, Buffer.from(content as string)] as const);
  const applicationManifest = Buffer.from(
    (changes.applicationManifest ?? keep)(buildApplicationManifest(name, parts.join("."), contents, digest)),
  );
  const manifestPath = `${base}/${name}.dll.manifest`;
  const files = new Map<string, Buffer>([[manifestPath, applicationManifest]]);
  for (const [path, content] of contents) files.set(`${base}/${path}${mapFileExtensions ? ".deploy" : ""}`, content);
  const vsto = Buffer.from(
    (changes.deploymentManifest ?? keep)(
      buildDeploymentManifest(name, parts.join("."), manifestPath, applicationManifest, digest, mapFileExtensions),
    ),
  );
  changes.zipped?.(files);
  return {
    version,
    /** Folder of this version, such as `Planvarro_7_2_0_0`. */
    folder,
    installer: { name: `${name}-Setup-${version}.exe`, content: changes.installer ?? createProgram(version) },
    vsto: { name: `${name}.vsto`, content: vsto },
    zip: { name: "Application Files.zip", content: await buildZip(files, changes) },
    /** Content of the zip's files by path, including the application manifest. */
    files,
    /** Path of the application manifest, relative to the `.vsto`. */
    manifestPath,
  };
}

/** Creates a zip of these files with fixed modification times, so that equal files give an equal zip. */
export function buildZip(
  files: ReadonlyMap<string, Buffer>,
  { pathInZip = keep, compress = true }: Pick<ClickOnceChanges, "pathInZip" | "compress"> = {},
): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [path, content] of files) zip.addBuffer(content, pathInZip(path), { mtime: new Date(0), compress });
  zip.end();
  return buffer(zip.outputStream);
}

/** Builds an empty Windows program with a version in its resources. */
export function createProgram(version: string): Buffer {
  const [major = 0, minor = 0, build = 0, revision = 0] = splitVersion(version);
  const program = resedit.NtExecutable.createEmpty(true, false);
  const resources = resedit.NtExecutableResource.from(program);
  const info = resedit.Resource.VersionInfo.createEmpty();
  info.lang = 1033;
  info.setFileVersion(major, minor, build, revision, 1033);
  info.setProductVersion(major, minor, build, revision, 1033);
  info.setStringValues({ lang: 1033, codepage: 1200 }, { ProductName: "Planvarro" });
  info.outputToResourceEntries(resources.entries);
  resources.outputResource(program);
  return Buffer.from(program.generate());
}

/** Builds a Windows program with version 0.0.0.0, padded to at least `sizeBytes`. */
export function createBareProgram(sizeBytes = 0): Buffer {
  const program = createProgram("0.0.0.0");
  return Buffer.concat([program, Buffer.alloc(Math.max(0, sizeBytes - program.length))]);
}

/** Builds a file that starts as a Windows program (`MZ`) and contains only zeros. */
export function createFakeProgram(sizeBytes = 4_096): Buffer {
  const bytes = Buffer.alloc(sizeBytes);
  bytes.write("MZ");
  return bytes;
}

function splitVersion(version: string): number[] {
  const parts = version.split(".").map(Number);
  return [...parts, 0, 0, 0, 0].slice(0, 4);
}

const buildHashXml = (content: Buffer, digest: "sha1" | "sha256"): string => `<hash>
        <dsig:Transforms><dsig:Transform Algorithm="urn:schemas-microsoft-com:HashTransforms.Identity" /></dsig:Transforms>
        <dsig:DigestMethod Algorithm="http://www.w3.org/2000/09/xmldsig#${digest}" />
        <dsig:DigestValue>${createHash(digest).update(content).digest("base64")}</dsig:DigestValue>
      </hash>`;

const NAMESPACES = `xmlns:asmv1="urn:schemas-microsoft-com:asm.v1" xmlns="urn:schemas-microsoft-com:asm.v2" xmlns:asmv2="urn:schemas-microsoft-com:asm.v2" xmlns:asmv3="urn:schemas-microsoft-com:asm.v3" xmlns:dsig="http://www.w3.org/2000/09/xmldsig#"`;
const formatIdentity = (name: string, version: string) =>
  `name="${name}" version="${version}" publicKeyToken="9a4f1d3b2c5e6f70" language="neutral" processorArchitecture="msil"`;

function buildApplicationManifest(
  name: string,
  version: string,
  contents: readonly (readonly [string, Buffer])[],
  digest: "sha1" | "sha256",
): string {
  const parts = contents.map(([path, content]) => {
    const windowsPath = path.replaceAll("/", "\\");
    return path.endsWith(".dll")
      ? `  <dependency>
    <dependentAssembly dependencyType="install" allowDelayedBinding="true" codebase="${windowsPath}" size="${content.length}">
      <assemblyIdentity ${formatIdentity(path.replace(/^.*\/|\.dll$/g, ""), version)} />
      ${buildHashXml(content, digest)}
    </dependentAssembly>
  </dependency>`
      : `  <file name="${windowsPath}" size="${content.length}">
    ${buildHashXml(content, digest)}
  </file>`;
  });
  return `\uFEFF<?xml version="1.0" encoding="utf-8"?>
<asmv1:assembly manifestVersion="1.0" ${NAMESPACES}>
  <asmv1:assemblyIdentity ${formatIdentity(`${name}.dll`, version)} type="win32" />
  <application />
  <entryPoint><co.v1:customHostSpecified xmlns:co.v1="urn:schemas-microsoft-com:clickonce.v1" /></entryPoint>
  <dependency>
    <dependentAssembly dependencyType="preRequisite" allowDelayedBinding="true">
      <assemblyIdentity name="Microsoft.Windows.CommonLanguageRuntime" version="4.0.30319.0" />
    </dependentAssembly>
  </dependency>
${parts.join("\n")}
</asmv1:assembly>
`;
}

function buildDeploymentManifest(
  name: string,
  version: string,
  manifestPath: string,
  manifest: Buffer,
  digest: "sha1" | "sha256",
  mapFileExtensions: boolean,
): string {
  return `\uFEFF<?xml version="1.0" encoding="utf-8"?>
<asmv1:assembly manifestVersion="1.0" ${NAMESPACES}>
  <assemblyIdentity ${formatIdentity(`${name}.vsto`, version)} xmlns="urn:schemas-microsoft-com:asm.v1" />
  <description asmv2:publisher="Planvarro" asmv2:product="Planvarro" xmlns="urn:schemas-microsoft-com:asm.v1" />
  <deployment install="false"${mapFileExtensions ? ' mapFileExtensions="true"' : ""} />
  <dependency>
    <dependentAssembly dependencyType="install" codebase="${manifestPath.replaceAll("/", "\\")}" size="${manifest.length}">
      <assemblyIdentity ${formatIdentity(`${name}.dll`, version)} type="win32" />
      ${buildHashXml(manifest, digest)}
    </dependentAssembly>
  </dependency>
</asmv1:assembly>
`;
}

function keep<Value>(value: Value): Value {
  return value;
}
