import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import * as resedit from "resedit";
import { ZipFile } from "yazl";

/** A build as the vendor's tools make one: an installer, and a ClickOnce application beside it. */
export interface ClickOnceBuild {
  readonly version: string;
  /** `XERBridge_7_2_0_0`, the folder of this version. */
  readonly folder: string;
  readonly installer: { readonly name: string; readonly content: Buffer };
  readonly vsto: { readonly name: string; readonly content: Buffer };
  readonly zip: { readonly name: string; readonly content: Buffer };
  /** What lies in the zip: path → content, the application manifest included. */
  readonly files: ReadonlyMap<string, Buffer>;
  /** Where the application manifest lies, below the address of the `.vsto`. */
  readonly manifestPath: string;
}

/** What a test makes otherwise than the tools do. */
export interface ClickOnceChanges {
  readonly name?: string;
  /** The application's files by their path below the version's folder, without `.deploy`. */
  readonly payload?: Readonly<Record<string, Buffer | string>>;
  readonly digest?: "sha1" | "sha256";
  /** Whether files end in `.deploy`, and the `.vsto` says so. */
  readonly mapFileExtensions?: boolean;
  /** Put into the path of the zip's files, such as a folder around them. */
  readonly pathInZip?: (path: string) => string;
  /** Changes a manifest's text before its hash is taken. */
  readonly applicationManifest?: (xml: string) => string;
  readonly deploymentManifest?: (xml: string) => string;
  /** Changes the zip's files after the hashes were taken. */
  readonly zipped?: (files: Map<string, Buffer>) => void;
  readonly installer?: Buffer;
  /** False: the zip holds its files as they are. */
  readonly compress?: boolean;
}

const DEFAULT_PAYLOAD: Readonly<Record<string, Buffer | string>> = {
  "XERBridge.dll": "the add-in itself",
  "XERBridge.dll.config": "<configuration />",
  "de/XERBridge.resources.dll": "Wörter",
  "Images/icon one.ico": Buffer.from([0, 0, 1, 0, 1, 0, 16, 16]),
};

/** Makes a build whose manifests name every file with its size and true hash. */
export async function clickOnceBuild(version: string, changes: ClickOnceChanges = {}): Promise<ClickOnceBuild> {
  const { name = "XERBridge", payload = DEFAULT_PAYLOAD, digest = "sha256", mapFileExtensions = true } = changes;
  const four = fourParts(version);
  const folder = `${name}_${four.join("_")}`;
  const base = `Application Files/${folder}`;
  const contents = Object.entries(payload).map(([path, content]) => [path, Buffer.from(content as string)] as const);
  const applicationManifest = Buffer.from(
    (changes.applicationManifest ?? same)(applicationManifestOf(name, four.join("."), contents, digest)),
  );
  const manifestPath = `${base}/${name}.dll.manifest`;
  const files = new Map<string, Buffer>([[manifestPath, applicationManifest]]);
  for (const [path, content] of contents) files.set(`${base}/${path}${mapFileExtensions ? ".deploy" : ""}`, content);
  const vsto = Buffer.from(
    (changes.deploymentManifest ?? same)(
      deploymentManifestOf(name, four.join("."), manifestPath, applicationManifest, digest, mapFileExtensions),
    ),
  );
  changes.zipped?.(files);
  return {
    version,
    folder,
    installer: {
      name: `${name}-Setup-${version}.exe`,
      content: changes.installer ?? programWithVersion(version),
    },
    vsto: { name: `${name}.vsto`, content: vsto },
    zip: { name: "Application Files.zip", content: await zipOf(files, changes) },
    files,
    manifestPath,
  };
}

/** A zip of these files. */
export function zipOf(
  files: ReadonlyMap<string, Buffer>,
  { pathInZip = same, compress = true }: Pick<ClickOnceChanges, "pathInZip" | "compress"> = {},
): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [path, content] of files) zip.addBuffer(content, pathInZip(path), { mtime: new Date(0), compress });
  zip.end();
  return buffer(zip.outputStream);
}

/** A Windows program that says its version in its resources, and nothing else. */
export function programWithVersion(version: string): Buffer {
  const [major = 0, minor = 0, build = 0, revision = 0] = fourParts(version);
  const program = resedit.NtExecutable.createEmpty(true, false);
  const resources = resedit.NtExecutableResource.from(program);
  const info = resedit.Resource.VersionInfo.createEmpty();
  info.lang = 1033;
  info.setFileVersion(major, minor, build, revision, 1033);
  info.setProductVersion(major, minor, build, revision, 1033);
  info.setStringValues({ lang: 1033, codepage: 1200 }, { ProductName: "XER Bridge" });
  info.outputToResourceEntries(resources.entries);
  resources.outputResource(program);
  return Buffer.from(program.generate());
}

/** A Windows program that states no version, padded to a size if that is larger. */
export function bareProgram(sizeBytes = 0): Buffer {
  const program = programWithVersion("0.0.0.0");
  return Buffer.concat([program, Buffer.alloc(Math.max(0, sizeBytes - program.length))]);
}

/** `MZ` and zeros: begins as a Windows program does, and states no version. */
export function fakeProgram(sizeBytes = 4_096): Buffer {
  const bytes = Buffer.alloc(sizeBytes);
  bytes.write("MZ");
  return bytes;
}

function fourParts(version: string): number[] {
  const parts = version.split(".").map(Number);
  return [...parts, 0, 0, 0, 0].slice(0, 4);
}

function hashOf(content: Buffer, digest: "sha1" | "sha256"): string {
  return `<hash>
        <dsig:Transforms><dsig:Transform Algorithm="urn:schemas-microsoft-com:HashTransforms.Identity" /></dsig:Transforms>
        <dsig:DigestMethod Algorithm="http://www.w3.org/2000/09/xmldsig#${digest}" />
        <dsig:DigestValue>${createHash(digest).update(content).digest("base64")}</dsig:DigestValue>
      </hash>`;
}

const NAMESPACES = `xmlns:asmv1="urn:schemas-microsoft-com:asm.v1" xmlns="urn:schemas-microsoft-com:asm.v2" xmlns:asmv2="urn:schemas-microsoft-com:asm.v2" xmlns:asmv3="urn:schemas-microsoft-com:asm.v3" xmlns:dsig="http://www.w3.org/2000/09/xmldsig#"`;
const identity = (name: string, version: string) =>
  `name="${name}" version="${version}" publicKeyToken="9a4f1d3b2c5e6f70" language="neutral" processorArchitecture="msil"`;

function applicationManifestOf(
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
      <assemblyIdentity ${identity(path.replace(/^.*\/|\.dll$/g, ""), version)} />
      ${hashOf(content, digest)}
    </dependentAssembly>
  </dependency>`
      : `  <file name="${windowsPath}" size="${content.length}">
    ${hashOf(content, digest)}
  </file>`;
  });
  return `\uFEFF<?xml version="1.0" encoding="utf-8"?>
<asmv1:assembly manifestVersion="1.0" ${NAMESPACES}>
  <asmv1:assemblyIdentity ${identity(`${name}.dll`, version)} type="win32" />
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

function deploymentManifestOf(
  name: string,
  version: string,
  manifestPath: string,
  manifest: Buffer,
  digest: "sha1" | "sha256",
  mapFileExtensions: boolean,
): string {
  return `\uFEFF<?xml version="1.0" encoding="utf-8"?>
<asmv1:assembly manifestVersion="1.0" ${NAMESPACES}>
  <assemblyIdentity ${identity(`${name}.vsto`, version)} xmlns="urn:schemas-microsoft-com:asm.v1" />
  <description asmv2:publisher="XER Bridge" asmv2:product="XER Bridge" xmlns="urn:schemas-microsoft-com:asm.v1" />
  <deployment install="false"${mapFileExtensions ? ' mapFileExtensions="true"' : ""} />
  <dependency>
    <dependentAssembly dependencyType="install" codebase="${manifestPath.replaceAll("/", "\\")}" size="${manifest.length}">
      <assemblyIdentity ${identity(`${name}.dll`, version)} type="win32" />
      ${hashOf(manifest, digest)}
    </dependentAssembly>
  </dependency>
</asmv1:assembly>
`;
}

function same<Value>(value: Value): Value {
  return value;
}
