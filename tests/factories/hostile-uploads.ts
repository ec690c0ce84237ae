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
const good = getUploadedFiles(goodBuild);
const withZip = (content: Buffer) => ({ ...good, applicationFilesZipFile: { name: "app.zip", content } });
const withVsto = (text: Buffer | string) => {
  const content = Buffer.from(text as string);
  return { ...good, vstoFile: { name: "Planvarro.vsto", content } };
};
/** Builds an upload with only an installer. */
export const installer = (name: string, content: Buffer): UploadedFiles => ({ installationFile: { name, content } });
const built = (changes: ClickOnceChanges) => async () => getUploadedFiles(await createClickOnceBuild("7.3.0", changes));
const zipped = (zip: () => Promise<Buffer> | Buffer) => async () => withZip(await zip());
const named = (name: string) => zipped(() => buildZipWithName(goodBuild.files, name));
/** Adds entries to the zip's folder. */
const added = (...entries: Parameters<typeof buildHostileZip>[1][number][]) => {
  const inFolder = entries.map((entry) => ({ ...entry, path: `${folder}/${entry.path}` }));
  return zipped(() => buildHostileZip(goodBuild.files, inFolder));
};
const changed = (change: (record: Buffer) => void) => zipped(() => changeRecord(goodBuild.zip.content, 1, change));
/** Writes a number over 32 bits of an entry's record. */
const overwritten = (offset: number, value: number) => changed((record) => record.writeUInt32LE(value, offset));
const manifest = (from: string | RegExp, to: string) => built({ applicationManifest: (xml) => xml.replace(from, to) });
const vsto = (from: string | RegExp, to: string) => built({ deploymentManifest: (xml) => xml.replace(from, to) });

/** A hostile upload, with the field and message of the expected error. */
export type HostileUpload = [
  title: string,
  files: () => Promise<UploadedFiles> | UploadedFiles,
  field: string,
  message: string | RegExp,
];

type Files = HostileUpload[1];
const [EXE, ZIP, VSTO] = ["installationFile", "applicationFilesZipFile", "vstoFile"] as const;
const WRONG_TYPE = "File type is not supported.";
const inExe = (title: string, files: Files, message: string | RegExp): HostileUpload => [title, files, EXE, message];
const inZip = (title: string, files: Files, message: string | RegExp): HostileUpload => [title, files, ZIP, message];
const inVsto = (title: string, files: Files, message: string | RegExp): HostileUpload => [title, files, VSTO, message];

const { installer: exe, zip, vsto: vstoFile } = goodBuild;
const applicationManifest = goodBuild.files.get(goodBuild.manifestPath) ?? "";
const NEEDS_VSTO = "The vsto file is required with the application files.";
const NEEDS_ZIP = "The application files are required with the vsto file.";
const NEEDS_EXE = "Installation file is required.";

/** Files of the wrong type for their field. */
export const types: HostileUpload[] = [
  inExe("a picture renamed to .exe", () => installer("setup.exe", png), WRONG_TYPE),
  inExe("a program called .txt", () => installer("setup.txt", createBareProgram()), WRONG_TYPE),
  inExe("a program with a second extension", () => installer("setup.exe.pdf", createBareProgram()), WRONG_TYPE),
  inExe("an empty installer", () => installer("setup.exe", Buffer.alloc(0)), "Installation file is empty."),
  inZip("a program as the zip", () => withZip(createBareProgram()), WRONG_TYPE),
  inZip("an empty zip file", () => withZip(Buffer.alloc(0)), "File is empty."),
  inVsto("a zip as the vsto", () => withVsto(zip.content), WRONG_TYPE),
  inVsto("a web page as the vsto", () => withVsto("<html><body>Hello</body></html>"), WRONG_TYPE),
  inVsto("an application manifest as the vsto", () => withVsto(applicationManifest), WRONG_TYPE),
  inVsto("a zip without a vsto", () => ({ installationFile: exe, applicationFilesZipFile: zip }), NEEDS_VSTO),
  inZip("a vsto without a zip", () => ({ installationFile: exe, vstoFile }), NEEDS_ZIP),
  inExe("a zip and a vsto without an installer", () => ({ applicationFilesZipFile: zip, vstoFile }), NEEDS_EXE),
];

const encrypted = changed((record) => record.writeUInt16LE(record.readUInt16LE(8) | 1, 8));
const compressedOtherwise = changed((record) => record.writeUInt16LE(99, 10));
const sharing = zipped(() => buildOverlappingZip(goodBuild.files, folder));
const bomb = added({ path: "b", content: Buffer.alloc(9_000_000) });
const bombs = added(...Array.from({ length: 20 }, (_, n) => ({ path: `${n}`, content: Buffer.alloc(900_000) })));
const entries = added(...Array.from({ length: 1_001 }, (_, n) => ({ path: `${n}` })));
const truncated = zipped(() => zip.content.subarray(0, -30));
const noise = zipped(() => Buffer.concat([Buffer.from("PK\x03\x04"), Buffer.alloc(5_000, 7)]));
const empty = zipped(() => buildZip(new Map()));
const older = zipped(() => buildHostileZip(goodBuild.files, [{ path: "Application Files/Planvarro_7_2_0_0/x" }]));

/** Malicious or damaged zips. */
export const zips: HostileUpload[] = [
  inZip("a path out of the folder", named("../../evil.dll"), /leads out of its folder/),
  inZip("an absolute path", named("/etc/passwd.d"), /absolute path/),
  inZip("a drive letter", named("C:/Windows/x.dll"), /absolute path/),
  inZip("backslashes", named("..\\..\\evil.dll"), /backslash/),
  inZip("a NUL in a name", named(`${folder}/a\0.dll`), /not allowed/),
  inZip("a device name", named(`${folder}/nul.dll`), /device/),
  inZip("a trailing dot", named(`${folder}/a.dll.`), /ends with a space or a dot/),
  inZip("an alternate data stream", named(`${folder}/a.dll:x`), /not allowed/),
  inZip("a right-to-left override in a name", named(`${folder}/a\u202Elld.exe`), /not allowed/),
  inZip("a name that is too long", named(`${folder}/${"n".repeat(150)}`), /too long/),
  inZip("folders nested too deep", named(`${folder}${"/d".repeat(40)}`), /too deeply/),
  inZip("the same file twice in different case", added({ path: "planvarro.DLL.deploy" }), /twice/),
  inZip("a file that is also a folder", added({ path: "Planvarro.dll.deploy/x" }), /also a folder/),
  inZip("a symbolic link", added({ path: "link", mode: 0o120777 }), /link or a device/),
  inZip("a device", added({ path: "tty", mode: 0o020666 }), /link or a device/),
  inZip("an encrypted entry", encrypted, /encrypted/),
  inZip("an unknown compression method", compressedOtherwise, /not supported/),
  inZip("a wrong checksum", overwritten(16, 1), /damaged or not as long/),
  inZip("less content than stated", overwritten(24, 900_000), /damaged or not as long/),
  inZip("more content than stated", overwritten(24, 3), /damaged or not as long/),
  inZip("missing 64-bit sizes", overwritten(24, 0xffffffff), /far more data than expected/),
  inZip("an entry beyond the end", overwritten(42, 0x7fffffff), /cannot be read/),
  inZip("an entry that points at another", overwritten(42, 0), /header differs/),
  inZip("entries that share bytes", sharing, /share their content/),
  inZip("one entry with an extreme compression ratio", bomb, /far more data than expected/),
  inZip("many small entries with an extreme compression ratio", bombs, /far more data than expected/),
  inZip("too many entries", entries, "The zip has more than 1,000 entries."),
  inZip("a truncated zip", truncated, /cannot be read/),
  inZip("a zip header followed by noise", noise, /cannot be read/),
  inZip("an empty zip", empty, /lacks/),
  inZip("an additional folder of another version", older, /not in the folder of this version/),
];

const withoutFile = (files: Map<string, unknown>) => void files.delete(`${folder}/Planvarro.dll.deploy`);
const withChangedFile = (files: Map<string, Buffer>) =>
  void files.set(`${folder}/Planvarro.dll.deploy`, Buffer.from("the add-in itsolf"));
const doctype = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>';
const naming = (path: string) => vsto(/codebase="[^"]*"/, `codebase="${path}"`);
const notXml = built({ applicationManifest: () => "not XML" });
const outside = manifest('codebase="Planvarro.dll"', 'codebase="..\\Planvarro.dll"');
const later = manifest(/version="7\.3\.0\.0"/, 'version="7.3.1.0"');
const laterVsto = vsto(/version="7\.3\.0\.0"/, 'version="7.4.0.0"');
const DIFFER = "The versions differ: the vsto file says";
const NOT_IN_FOLDER = /must name a manifest in a folder/;
const OLD_VERSION = "Version must be above 7.2.0, the latest version of this stage.";

/** Malicious manifests, and manifests that don't match the other files. */
export const manifests: HostileUpload[] = [
  inVsto("a DTD", vsto("<asmv1:assembly", `${doctype}<asmv1:assembly`), WRONG_TYPE),
  inVsto("deeply nested elements", () => withVsto(`<assembly>${"<a>".repeat(50_000)}`), WRONG_TYPE),
  inVsto("broken XML", vsto("</asmv1:assembly>", ""), WRONG_TYPE),
  inVsto("no version", vsto(/version="7[^"]*"/, ""), "The vsto file does not state its version."),
  inVsto("a manifest outside of the folder", naming("..\\..\\evil.manifest"), NOT_IN_FOLDER),
  inVsto("a manifest on another server", naming("https://evil.test/a/b.manifest"), NOT_IN_FOLDER),
  inZip("a manifest that is not in the zip", vsto(/\.dll\.manifest"/, '.exe.manifest"'), /lacks .*exe\.manifest/),
  inZip("a wrong hash of the manifest", vsto(/<dsig:DigestValue>./, "<dsig:DigestValue>!"), /size or hash differ/),
  inZip("a wrong size of the manifest", vsto(/size="\d+"/, 'size="7"'), /size or hash differ/),
  inVsto("an unknown hash algorithm", vsto("xmldsig#sha256", "xmldsig#md5"), /cannot be checked/),
  inZip("a manifest that isn't XML", notXml, "The application manifest in the zip cannot be read."),
  inZip("a file outside of its folder", outside, /leads out of its folder/),
  inZip("a file that is not in the zip", built({ zipped: withoutFile }), /lacks .*Planvarro\.dll\.deploy/),
  inZip("a changed file", built({ zipped: withChangedFile }), /size or hash differ/),
  inZip("a wrong SHA-1 hash", built({ digest: "sha1", zipped: withChangedFile }), /size or hash differ/),
  inVsto("an application of another version", later, `${DIFFER} 7.3.0, the application manifest in the zip 7.3.1.`),
  inVsto("a vsto of another version", laterVsto, `${DIFFER} 7.4.0, the zip's folder 7.3.0.`),
  ["a published version", async () => getUploadedFiles(await createClickOnceBuild("7.2.0")), "version", OLD_VERSION],
  ["a program with an old version", () => installer("setup.exe", createProgram("7.1.9")), "version", OLD_VERSION],
];
