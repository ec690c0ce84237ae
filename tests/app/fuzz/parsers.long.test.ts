/**
 * Gives hostile input to every parser of text, files and headers that strangers send. Each result must be a value or an error
 * that clients understand, within a second. `FUZZ_RUNS=100000` searches longer; a failure prints its seed and smallest input.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { Readable } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseCents } from "#schema/money.ts";
import { isAddressOrNetwork } from "#schema/text.ts";
import { decodeTextFile, parseRequestFile } from "#schema/protocol.ts";
import { parseEndMoment, parseMoment } from "#schema/moment.ts";
import { describeDevice } from "#api/access/sessions/user-agent.ts";
import { readSignedChallenge } from "#api/access/two-step/passkeys.ts";
import { parseUserCode } from "#api/licensing/device-authorizations/request-device-authorization.ts";
import { parseLicenceCode } from "#api/licensing/licences/licence-answer.ts";
import { parseSupportCode } from "#api/licensing/licences/licence-code.ts";
import { parseSender } from "#api/platform/brand-file.ts";
import { isDatabaseUrl, readDatabaseHosts } from "#api/platform/database/database-hosts.ts";
import { parseCursor } from "#api/platform/graphql/page.ts";
import { AppError } from "#api/platform/errors.ts";
import { parseBucketUrl } from "#api/platform/files/bucket-settings.ts";
import { parseByteRange } from "#api/platform/files/send-file.ts";
import { isInNetworks } from "#api/platform/http/networks.ts";
import { parseTrustedProxies } from "#api/platform/http/trusted-proxies.ts";
import { findKeySetFault } from "#api/platform/keys/key-rotation.ts";
import { parseTraceparent } from "#api/platform/observe/tracing.ts";
import { isUuid } from "#api/platform/validate.ts";
import { readInstallerSignature } from "#api/releases/software/upload/authenticode.ts";
import {
  ManifestError,
  parseApplicationManifest,
  parseDeploymentManifest,
} from "#api/releases/software/upload/manifests.ts";
import { readProgramVersion } from "#api/releases/software/upload/program-version.ts";
import { findPathError } from "#api/releases/software/upload/safe-path.ts";
import { readZippedFile, withZip } from "#api/releases/software/upload/zip-entries.ts";
import { parseVersion } from "#api/releases/software/version.ts";
import { inspectFile, UnreadableFileError } from "#api/staff/bulk/inspect-file.ts";
import { readRecords } from "#api/staff/bulk/read-records.ts";
import { parseSearch } from "#api/staff/search/parse-search.ts";
import { parseUserCursor } from "#api/staff/users/user-cursor.ts";
import { createClickOnceBuild, createProgram } from "#tests/factories/click-once.ts";
import { createTemporaryFolder } from "#tests/support/temporary-folder.ts";

const numRuns = Number(process.env["FUZZ_RUNS"] ?? 2_000);
const timeout = 20 * 60_000;
const LONGEST_MS = 1_000;

const folder = createTemporaryFolder("portal-fuzz-");

/** Bytes that differ from a valid input in a few places: changed, removed, repeated or cut off. */
function mutations(valid: Buffer): fc.Arbitrary<Buffer> {
  const position = fc.nat(Math.max(valid.length - 1, 0));
  const edit = fc.record({ at: position, length: fc.nat(16), bytes: fc.uint8Array({ maxLength: 16 }) });
  return fc
    .array(edit, { minLength: 1, maxLength: 6 })
    .map((edits) =>
      edits.reduce(
        (content, { at, length, bytes }) =>
          Buffer.concat([content.subarray(0, at), Buffer.from(bytes), content.subarray(at + length)]),
        valid,
      ),
    );
}

const characters = [..."0129.:/-,;=_ \t\r\n[]{}\"'%@+AaZzSé\u0000\u202e".split(""), "\ud800"];
const hostileText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 400 }),
  fc.string({ unit: fc.constantFrom(...characters), maxLength: 400 }),
  fc
    .tuple(fc.string({ minLength: 1, maxLength: 4 }), fc.integer({ min: 1, max: 5_000 }))
    .map(([text, times]) => text.repeat(times)),
);

/** Returns whether an error tells the sender what is wrong, by itself or as the reason of one that does. */
const isForSender = (error: unknown) =>
  (error instanceof AppError && error.status < 500) ||
  error instanceof UnreadableFileError ||
  error instanceof ManifestError;

/** Runs a parser. Rethrows an error that isn't meant for the sender, and one that came too late. */
async function run(parse: () => unknown): Promise<void> {
  const started = performance.now();
  try {
    await parse();
  } catch (error) {
    if (!isForSender(error)) throw error;
  }
  expect(performance.now() - started).toBeLessThan(LONGEST_MS);
}

const isInNetwork = (text: string) => isAddressOrNetwork(text) && isInNetworks([text], "203.0.113.7");
const keySet = '{"keys":[{"kty":"EC","crv":"P-256","x":"","y":"","d":""}]}';
const texts: Readonly<Record<string, readonly [parse: (text: string) => unknown, ...valid: string[]]>> = {
  "a request file": [parseRequestFile, '{"licenceCode":"x","machineName":"y"}', "eyJhIjoxfQ=="],
  "a moment": [(text) => [parseMoment(text), parseEndMoment(text)], "2026-11-22T09:30:00.000Z", "2026-11-22"],
  "an amount": [parseCents, "A$1,234.50"],
  "a search": [parseSearch, "invoice A-100001", "ada@example.com", "S-7K3QMX9D"],
  "a licence code": [parseLicenceCode, "12345-67890-ABCDE-FGHJK-MNPQR-STVWX"],
  "a support code": [parseSupportCode, "S-7K3QMX9D"],
  "a user code": [parseUserCode, "BCDF-GHJK"],
  "a cursor": [(text) => parseCursor(text, isUuid), Buffer.from("1.0").toString("base64url")],
  "a cursor of users": [
    (text) => parseUserCursor("EMAIL", text),
    Buffer.from('["EMAIL","8c1de1a8-0a5b-4b8c-9f0e-2a7f7f1d4c55","a"]').toString("base64url"),
  ],
  "a byte range": [(text) => parseByteRange(text, 1_000), "bytes=0-99"],
  "a traceparent": [parseTraceparent, `00-${"a".repeat(32)}-${"b".repeat(16)}-01`],
  "a version": [parseVersion, "7.2.0.0"],
  "a path in a zip": [findPathError, "Planvarro_7_2_0_0/de/Planvarro.dll"],
  "a network": [isInNetwork, "203.0.113.0/24", "2001:db8::/48", "::ffff:203.0.113.7"],
  "trusted proxies": [parseTrustedProxies, "10.0.0.0/8, loopback"],
  "a sender": [parseSender, "Portal <no-reply@example.com>"],
  "a user agent": [describeDevice, "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/142.0.0.0 Safari/537.36"],
  "a passkey's answer": [readSignedChallenge, '{"response":{"clientDataJSON":"eyJjaGFsbGVuZ2UiOiJ4In0"}}'],
  "a database URL": [
    (text) => isDatabaseUrl(text) && readDatabaseHosts(text),
    "postgres://u:p@db1:5432,db2/portal?target_session_attrs=read-write",
  ],
  "a bucket's URL": [(text) => parseBucketUrl(text, true), "https://key:secret@host/bucket?region=x"],
  "a key set": [(text) => findKeySetFault("signing", text), keySet],
};

test.each(Object.entries(texts))("text: %s", { timeout }, async (_name, [parse, ...valid]) => {
  const near = valid.map((text) => mutations(Buffer.from(text)).map((bytes) => bytes.toString()));
  const property = fc.asyncProperty(fc.oneof(hostileText, ...near), (text) => run(() => parse(text)));
  await fc.assert(property, { numRuns });
});

const build = await createClickOnceBuild("7.2.0.0");
const signed = readFileSync("tests/releases/software/signed-setup.exe");
const manifest = build.files.get(build.manifestPath) ?? Buffer.alloc(0);
let count = 0;
const onDisk = (parse: (path: string) => unknown) => (content: Buffer) => {
  const path = join(folder, String(++count % 8));
  writeFileSync(path, content);
  return parse(path);
};
const readZip = (path: string) =>
  withZip(path, async (files) => {
    for (const file of files) await readZippedFile(file, ["sha256"]);
  });
const readCsv = async (content: Buffer) => {
  const format = await inspectFile(Readable.from([content]));
  for await (const _ of readRecords(Readable.from([content]), format)) continue;
};
const csv = Buffer.from('sep=;\nemail;name\n"ada@example.com";"Ada ""B"""\n=1+1;@x\n');
const files: Readonly<Record<string, readonly [parse: (content: Buffer) => unknown, valid: Buffer]>> = {
  "a text file": [decodeTextFile, Buffer.from("\ufeff{}", "utf16le")],
  "a deployment manifest": [parseDeploymentManifest, build.vsto.content],
  "an application manifest": [parseApplicationManifest, manifest],
  "a zip": [onDisk(readZip), build.zip.content],
  "a program's version": [onDisk(readProgramVersion), createProgram("7.2.0.0")],
  "an installer's signature": [onDisk(readInstallerSignature), signed],
  "a CSV file": [readCsv, csv],
};
test.each(Object.entries(files))("files: %s", { timeout }, async (_name, [parse, valid]) => {
  const bytes = fc.uint8Array({ maxLength: 2_000 }).map((content) => Buffer.from(content));
  const contents = fc.oneof({ arbitrary: bytes, weight: 1 }, { arbitrary: mutations(valid), weight: 4 });
  const property = fc.asyncProperty(contents, (content) => run(() => parse(content)));
  await fc.assert(property, { numRuns: Math.ceil(numRuns / 4) });
});
