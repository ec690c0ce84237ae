import {
  createBareProgram,
  type ClickOnceChanges,
  createClickOnceBuild,
  createProgram,
  buildZip,
} from "./click-once.ts";
import { changeRecord, buildHostileZip, buildZipWithName, buildOverlappingZip } from "./hostile-zip.ts";
import { getUploadedFiles, type UploadedFiles } from "./software-upload.ts";

/** Valid build with a version above the published 7.2.0. Each hostile build differs from it in one detail. */
export const goodBuild = await createClickOnceBuild("7.3.0");
const folder = `Application Files/${goodBuild.folder}`;
const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
const withZip = (content: Buffer): UploadedFiles => ({
  ...getUploadedFiles(goodBuild),
  applicationFilesZipFile: { name: "app.zip", content },
});
const withVsto = (content: Buffer | string): UploadedFiles => ({
  ...getUploadedFiles(goodBuild),
  vstoFile: { name: "Planvarro.vsto", content: Buffer.from(content as string) },
});
/** Builds an upload with only an installer. */
export const installer = (name: string, content: Buffer): UploadedFiles => ({ installationFile: { name, content } });
const built = (changes: ClickOnceChanges) => async () => getUploadedFiles(await createClickOnceBuild("7.3.0", changes));
const zipped = (zip: () => Promise<Buffer> | Buffer) => async () => withZip(await zip());
const named = (name: string) => zipped(() => buildZipWithName(goodBuild.files, name));
const changed = (change: (record: Buffer) => void) => zipped(() => changeRecord(goodBuild.zip.content, 1, change));
const manifest = (from: string | RegExp, to: string) => built({ applicationManifest: (xml) => xml.replace(from, to) });
const vsto = (from: string | RegExp, to: string) => built({ deploymentManifest: (xml) => xml.replace(from, to) });

/** A hostile upload, with the field and message of the expected error. */
export type HostileUpload = [
  title: string,
  files: () => Promise<UploadedFiles> | UploadedFiles,
  field: string,
  message: string | RegExp,
];

const [EXE, ZIP, VSTO] = ["installationFile", "applicationFilesZipFile", "vstoFile"] as const;

/** Files of the wrong type for their field. */
export const types: HostileUpload[] = [
  ["a picture renamed to .exe", () => installer("setup.exe", png), EXE, "File type is not supported."],
  ["a program called .txt", () => installer("setup.txt", createBareProgram()), EXE, "File type is not supported."],
  [
    "a program with a second extension",
    () => installer("setup.exe.pdf", createBareProgram()),
    EXE,
    "File type is not supported.",
  ],
  ["an empty installer", () => installer("setup.exe", Buffer.alloc(0)), EXE, "Installation file is empty."],
  ["a program as the zip", () => withZip(createBareProgram()), ZIP, "File type is not supported."],
  ["an empty zip file", () => withZip(Buffer.alloc(0)), ZIP, "File is empty."],
  ["a zip as the vsto", () => withVsto(goodBuild.zip.content), VSTO, "File type is not supported."],
  ["a web page as the vsto", () => withVsto("<html><body>Hello</body></html>"), VSTO, "File type is not supported."],
  [
    "an application manifest as the vsto",
    () => withVsto(goodBuild.files.get(goodBuild.manifestPath) ?? ""),
    VSTO,
    "File type is not supported.",
  ],
  [
    "a zip without a vsto",
    () => ({ installationFile: goodBuild.installer, applicationFilesZipFile: goodBuild.zip }),
    VSTO,
    "The vsto file is required with the application files.",
  ],
  [
    "a vsto without a zip",
    () => ({ installationFile: goodBuild.installer, vstoFile: goodBuild.vsto }),
    ZIP,
    "The application files are required with the vsto file.",
  ],
  [
    "a zip and a vsto without an installer",
    () => ({ applicationFilesZipFile: goodBuild.zip, vstoFile: goodBuild.vsto }),
    EXE,
    "Installation file is required.",
  ],
];

/** Malicious or damaged zips. */
export const zips: HostileUpload[] = [
  ["a path out of the folder", named("../../evil.dll"), ZIP, /leads out of its folder/],
  ["an absolute path", named("/etc/passwd.d"), ZIP, /absolute path/],
  ["a drive letter", named("C:/Windows/x.dll"), ZIP, /absolute path/],
  ["backslashes", named("..\\..\\evil.dll"), ZIP, /backslash/],
  ["a NUL in a name", named(`${folder}/a\0.dll`), ZIP, /not allowed/],
  ["a device name", named(`${folder}/nul.dll`), ZIP, /device/],
  ["a trailing dot", named(`${folder}/a.dll.`), ZIP, /ends with a space or a dot/],
  ["an alternate data stream", named(`${folder}/a.dll:x`), ZIP, /not allowed/],
  ["a right-to-left override in a name", named(`${folder}/a\u202Elld.exe`), ZIP, /not allowed/],
  ["a name that is too long", named(`${folder}/${"n".repeat(150)}`), ZIP, /too long/],
  ["folders nested too deep", named(`${folder}${"/d".repeat(40)}`), ZIP, /too deeply/],
  [
    "the same file twice in different case",
    zipped(() => buildHostileZip(goodBuild.files, [{ path: `${folder}/planvarro.DLL.deploy` }])),
    ZIP,
    /twice/,
  ],
  [
    "a file that is also a folder",
    zipped(() => buildHostileZip(goodBuild.files, [{ path: `${folder}/Planvarro.dll.deploy/x` }])),
    ZIP,
    /also a folder/,
  ],
  [
    "a symbolic link",
    zipped(() => buildHostileZip(goodBuild.files, [{ path: `${folder}/link`, mode: 0o120777 }])),
    ZIP,
    /link or a device/,
  ],
  [
    "a device",
    zipped(() => buildHostileZip(goodBuild.files, [{ path: `${folder}/tty`, mode: 0o020666 }])),
    ZIP,
    /link or a device/,
  ],
  ["an encrypted entry", changed((record) => record.writeUInt16LE(record.readUInt16LE(8) | 1, 8)), ZIP, /encrypted/],
  ["an unknown compression method", changed((record) => record.writeUInt16LE(99, 10)), ZIP, /not supported/],
  ["a wrong checksum", changed((record) => record.writeUInt32LE(1, 16)), ZIP, /damaged or not as long/],
  ["less content than stated", changed((record) => record.writeUInt32LE(900_000, 24)), ZIP, /damaged or not as long/],
  ["more content than stated", changed((record) => record.writeUInt32LE(3, 24)), ZIP, /damaged or not as long/],
  [
    "missing 64-bit sizes",
    changed((record) => record.writeUInt32LE(0xffffffff, 24)),
    ZIP,
    /far more data than expected/,
  ],
  ["an entry beyond the end", changed((record) => record.writeUInt32LE(0x7fffffff, 42)), ZIP, /cannot be read/],
  [
    "an entry that points at another",
    changed((record) => record.writeUInt32LE(0, 42)),
    ZIP,
    /header differs from its directory/,
  ],
  ["entries that share bytes", zipped(() => buildOverlappingZip(goodBuild.files, folder)), ZIP, /share their content/],
  [
    "one entry with an extreme compression ratio",
    zipped(() => buildHostileZip(goodBuild.files, [{ path: `${folder}/b`, content: Buffer.alloc(9_000_000) }])),
    ZIP,
    /far more data than expected/,
  ],
  [
    "many small entries with an extreme compression ratio",
    zipped(() =>
      buildHostileZip(
        goodBuild.files,
        Array.from({ length: 20 }, (_, index) => ({ path: `${folder}/${index}`, content: Buffer.alloc(900_000) })),
      ),
    ),
    ZIP,
    /far more data than expected/,
  ],
  [
    "too many entries",
    zipped(() =>
      buildHostileZip(
        goodBuild.files,
        Array.from({ length: 1_001 }, (_, index) => ({ path: `${folder}/${index}` })),
      ),
    ),
    ZIP,
    "The zip has more than 1,000 entries.",
  ],
  ["a truncated zip", zipped(() => goodBuild.zip.content.subarray(0, -30)), ZIP, /cannot be read/],
  [
    "a zip header followed by noise",
    zipped(() => Buffer.concat([Buffer.from("PK\x03\x04"), Buffer.alloc(5_000, 7)])),
    ZIP,
    /cannot be read/,
  ],
  ["an empty zip", zipped(() => buildZip(new Map())), ZIP, /lacks/],
  [
    "an additional folder of another version",
    zipped(() => buildHostileZip(goodBuild.files, [{ path: "Application Files/Planvarro_7_2_0_0/x" }])),
    ZIP,
    /not in the folder of this version/,
  ],
];

/** Malicious manifests, and manifests that don't match the other files. */
export const manifests: HostileUpload[] = [
  [
    "a DTD",
    vsto("<asmv1:assembly", '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><asmv1:assembly'),
    VSTO,
    "File type is not supported.",
  ],
  ["deeply nested elements", () => withVsto(`<assembly>${"<a>".repeat(50_000)}`), VSTO, "File type is not supported."],
  ["broken XML", vsto("</asmv1:assembly>", ""), VSTO, "File type is not supported."],
  ["no version", vsto(/version="7[^"]*"/, ""), VSTO, "The vsto file does not state its version."],
  [
    "a manifest outside of the folder",
    vsto(/codebase="[^"]*"/, 'codebase="..\\..\\evil.manifest"'),
    VSTO,
    /must name a manifest in a folder/,
  ],
  [
    "a manifest on another server",
    vsto(/codebase="[^"]*"/, 'codebase="https://evil.test/a/b.manifest"'),
    VSTO,
    /must name a manifest in a folder/,
  ],
  ["a manifest that is not in the zip", vsto(/\.dll\.manifest"/, '.exe.manifest"'), ZIP, /lacks .*exe\.manifest/],
  ["a wrong hash of the manifest", vsto(/<dsig:DigestValue>./, "<dsig:DigestValue>!"), ZIP, /size or hash differ/],
  ["a wrong size of the manifest", vsto(/size="\d+"/, 'size="7"'), ZIP, /size or hash differ/],
  ["an unknown hash algorithm", vsto("xmldsig#sha256", "xmldsig#md5"), VSTO, /cannot be checked/],
  [
    "a manifest that isn't XML",
    built({ applicationManifest: () => "not XML" }),
    ZIP,
    "The application manifest in the zip cannot be read.",
  ],
  [
    "a file outside of its folder",
    manifest('codebase="Planvarro.dll"', 'codebase="..\\Planvarro.dll"'),
    ZIP,
    /leads out of its folder/,
  ],
  [
    "a file that is not in the zip",
    built({ zipped: (files) => void files.delete(`${folder}/Planvarro.dll.deploy`) }),
    ZIP,
    /lacks .*Planvarro\.dll\.deploy/,
  ],
  [
    "a changed file",
    built({
      zipped: (files) => void files.set(`${folder}/Planvarro.dll.deploy`, Buffer.from("the add-in itsolf")),
    }),
    ZIP,
    /size or hash differ/,
  ],
  [
    "a wrong SHA-1 hash",
    built({
      digest: "sha1",
      zipped: (files) => void files.set(`${folder}/Planvarro.dll.deploy`, Buffer.from("the add-in itsolf")),
    }),
    ZIP,
    /size or hash differ/,
  ],
  [
    "an application of another version",
    manifest(/version="7\.3\.0\.0"/, 'version="7.3.1.0"'),
    VSTO,
    "The versions differ: the vsto file says 7.3.0, the application manifest in the zip 7.3.1.",
  ],
  [
    "a vsto of another version",
    vsto(/version="7\.3\.0\.0"/, 'version="7.4.0.0"'),
    VSTO,
    "The versions differ: the vsto file says 7.4.0, the zip's folder 7.3.0.",
  ],
  [
    "a published version",
    async () => getUploadedFiles(await createClickOnceBuild("7.2.0")),
    "version",
    "Version must be above 7.2.0, the latest version of this stage.",
  ],
  [
    "a program with an old version",
    () => installer("setup.exe", createProgram("7.1.9")),
    "version",
    "Version must be above 7.2.0, the latest version of this stage.",
  ],
];
