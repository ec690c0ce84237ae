import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { SoftwareBuild } from "#api/releases/software/software-build.entity.ts";
import { publishBuild } from "#api/releases/software/publish-build.ts";
import { type ClickOnceBuild, createClickOnceBuild } from "#tests/factories/click-once.ts";
import { publishClickOnceBuild, publishTestBuild } from "#tests/factories/software.ts";
import { getUploadedFiles, uploadGraphql } from "#tests/factories/software-upload.ts";
import { createAdmin, signInAs } from "#tests/factories/user.ts";
import { getRaw } from "#tests/support/get-raw.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const older = await createClickOnceBuild("7.1.0");
const newer = await createClickOnceBuild("7.2.0", {
  payload: { "Planvarro.dll": "x".repeat(100_000), "empty.txt": "", "Über ± uns.txt": "ü", "a+b.txt": "odd" },
});
const first = await publishClickOnceBuild(app, older);
const second = await publishClickOnceBuild(app, newer);
const stage = "/software/production/";
const at = (path: string, base = stage) => base + path.split("/").map(encodeURIComponent).join("/");
const get = (path: string, headers: Record<string, string> = {}) => app.rest("GET", path, { headers });

/** Returns the paths and expected hashes of the files in a manifest. */
const readFileEntries = (xml: string) =>
  [...xml.matchAll(/(?:codebase|file name)="([^"]+)"[\s\S]*?<dsig:DigestValue>([^<]+)</g)].map(
    ([, path = "", hash = ""]) => ({ path: path.replaceAll("&amp;", "&").replaceAll("\\", "/"), hash }),
  );
const fetchBytes = async (path: string) => Buffer.from(await (await fetch(app.url + path)).arrayBuffer());

/** Installs from the URL of a `.vsto` as ClickOnce does, and returns the number of downloaded files. */
async function install(address: string): Promise<number> {
  const base = address.slice(0, address.lastIndexOf("/") + 1);
  const deployment = await fetchBytes(address);
  const [manifest] = readFileEntries(deployment.toString());
  const manifestAddress = at(manifest?.path ?? "", base);
  const application = await fetchBytes(manifestAddress);
  expect(createHash("sha256").update(application).digest("base64")).toBe(manifest?.hash);
  const files = readFileEntries(application.toString());
  for (const { path, hash } of files) {
    const content = await fetchBytes(
      at(`${path}.deploy`, manifestAddress.slice(0, manifestAddress.lastIndexOf("/") + 1)),
    );
    expect(createHash("sha256").update(content).digest("base64"), path).toBe(hash);
  }
  return files.length;
}

const versionAt = async (address: string) =>
  / version="([\d.]+)" publicKeyToken/.exec((await get(address)).text)?.[1] ?? "none";

test("serves all files that the manifests name, with matching hashes", async () => {
  expect([await install(`${stage}Planvarro.vsto`), await install(`${stage}7.2.0/Planvarro.vsto`)]).toEqual([4, 4]);
  expect(await install(`${stage}7.1.0/Planvarro.vsto`)).toBe(4);
});

test.each([
  ["Planvarro.vsto", "application/x-ms-vsto", "public, no-cache"],
  ["7.2.0/Planvarro.vsto", "application/x-ms-vsto", "public, max-age=3600"],
  [newer.manifestPath, "application/x-ms-manifest", "public, max-age=3600"],
  [`Application Files/${newer.folder}/Planvarro.dll.deploy`, "application/octet-stream", "public, max-age=3600"],
  [`Application Files/${newer.folder}/empty.txt.deploy`, "application/octet-stream", "public, max-age=3600"],
])("serves %s as %s with cache-control %s", async (path, type, cacheControl) => {
  const { status, headers } = await get(at(path), { "accept-encoding": "gzip" });
  const content = await fetchBytes(at(path));
  expect(status).toBe(200);
  expect(Object.fromEntries(headers)).toMatchObject({
    "content-type": type,
    "cache-control": cacheControl,
    "content-length": String(content.length),
    "last-modified": second.publishedAt?.toUTCString(),
    etag: `"${createHash("sha256").update(content).digest("hex")}"`,
  });
  expect([headers.get("content-encoding"), headers.get("content-disposition")]).toEqual([null, null]);
});

test("ignores case in paths, as Windows does, and a query", async () => {
  const same = await get(at(newer.manifestPath));
  for (const path of [newer.manifestPath.toLowerCase(), newer.manifestPath.toUpperCase()])
    expect((await get(at(path))).text).toBe(same.text);
  expect((await get(`${stage}planvarro.VSTO?from=%2fmail/`)).status).toBe(200);
});

const listFiles = ({ folder, manifestPath }: ClickOnceBuild) => [
  manifestPath,
  `Application Files/${folder}/Planvarro.dll.deploy`,
];

test("serves the manifest of the offered build, and files of other builds for updates in progress", async () => {
  expect(await versionAt(`${stage}Planvarro.vsto`)).toBe("7.2.0.0");
  for (const path of listFiles(older)) expect((await get(at(path))).status).toBe(200);
  const etag = (await get(`${stage}Planvarro.vsto`)).headers.get("etag") ?? "";
  const admin = await signInAs(app, await createAdmin(app));
  const shown = { stage: "PRODUCTION", offeredBuildId: second.id };
  expect(await app.call("rollBackSoftware { offered { id } }", shown, admin)).toEqual({ offered: { id: first.id } });
  expect(await versionAt(`${stage}Planvarro.vsto`)).toBe("7.1.0.0");
  expect((await get(`${stage}Planvarro.vsto`, { "if-none-match": etag })).status).toBe(200);
  expect(await install(`${stage}Planvarro.vsto`)).toBe(4);
  for (const path of listFiles(newer)) expect((await get(at(path))).status).toBe(200);
  await publishBuild(app.context(), second.id);
});

test("serves the file of the offered build when two builds share a path", async () => {
  const { pool } = app.services;
  const path = "Application Files/Planvarro/Planvarro.dll.deploy";
  await pool.query(
    "update software_files set path = $1, path_key = $3 where build_id = any($2::uuid[]) and path ilike '%/Planvarro.dll.deploy'",
    [path, [first.id, second.id], path.toLowerCase()],
  );
  const sizeAt = async () => (await fetchBytes(at(path))).length;
  const newest = await sizeAt();
  await pool.query("update software_channels set build_id = $1 where stage = 4", [first.id]);
  expect(await sizeAt()).not.toBe(newest);
  await pool.query("update software_channels set build_id = $1 where stage = 4", [second.id]);
  expect(await sizeAt()).toBe(newest);
});

test("serves no manifest for a build with only an installer", async () => {
  const build = await createClickOnceBuild("2.0.0");
  await publishClickOnceBuild(app, build, 2);
  expect((await get("/software/alpha/Planvarro.vsto")).status).toBe(200);
  const { id } = await publishTestBuild(app, "2.1.0", { stage: 2 });
  const admin = await signInAs(app, await createAdmin(app));
  expect(await findBuild(id, admin)).toMatchObject({ manifestUrl: null, files: [] });
  expect((await get("/software/alpha/Planvarro.vsto")).status).toBe(404);
  expect((await get("/software/alpha/2.0.0/Planvarro.vsto")).status).toBe(200);
});

const findBuild = (id: string, token: string) =>
  app.call("softwareBuild { version manifestUrl files { path url } }", { id }, token);

test("returns a build by its id, with the URL of its .vsto once it is published", async () => {
  const admin = await signInAs(app, await createAdmin(app));
  const files = getUploadedFiles(await createClickOnceBuild("2.2.0"));
  const { json } = await uploadGraphql(app, admin, { softwareStage: 2 }, files);
  const { id } = (json as { data: { uploadSoftware: { id: string } } }).data.uploadSoftware;
  expect(await findBuild(id, admin)).toMatchObject({ version: "2.2.0", manifestUrl: null });
  await app.call("publishSoftware { id }", { buildId: id }, admin);
  const { manifestUrl, files: listed } = await findBuild(id, admin);
  expect(new URL(manifestUrl).pathname).toBe("/software/alpha/2.2.0/Planvarro.vsto");
  expect(listed[0]).toEqual({ path: "Planvarro.vsto", url: manifestUrl });
  expect((await get(new URL(manifestUrl).pathname)).status).toBe(200);
});

test("serves no files of unpublished or withdrawn builds or of another stage", async () => {
  const build = await createClickOnceBuild("3.0.0");
  const { id } = await publishClickOnceBuild(app, build, 3);
  const addresses = ["Planvarro.vsto", "3.0.0/Planvarro.vsto", ...listFiles(build)];
  const statuses = (word: string) =>
    Promise.all(addresses.map(async (path) => (await get(at(path, `/software/${word}/`))).status));
  expect(await statuses("beta")).toEqual([200, 200, 200, 200]);
  expect(await statuses("special-xt333")).toEqual([404, 404, 404, 404]);
  const change = (values: Partial<SoftwareBuild>) => app.context().em.nativeUpdate(SoftwareBuild, id, values);
  await change({ withdrawnAt: app.clock.now() });
  expect(await statuses("beta")).toEqual([404, 404, 404, 404]);
  await change({ withdrawnAt: null, publishedAt: null });
  expect(await statuses("beta")).toEqual([404, 404, 404, 404]);
});

const base = `/software/production/Application%20Files/${newer.folder}`;
test.each([
  "/software/production/Application%20Files",
  `${base}/`,
  `${base}/Planvarro.dll.manifest%00`,
  `${base}%2fPlanvarro.dll.manifest`,
  `${base}\\Planvarro.dll.manifest`,
  `${base}/../${newer.folder}/Planvarro.dll.manifest`,
  `${base}/%2e%2e/${newer.folder}/Planvarro.dll.manifest`,
  `${base}//Planvarro.dll.manifest`,
  `${base}/Planvarro.dll.manifest.`,
  `${base}/Planvarro.dll.manifest::$DATA`,
  `${base}/Planvarro.dll`,
  `${base}/${"x/".repeat(200)}y`,
  `/software/production/7.1.0/Application%20Files/${newer.folder}/Planvarro.dll.manifest`,
  `/software/4/Planvarro.vsto`,
])("responds to %s with 404 in JSON", async (path) => {
  const { status, type, text } = await getRaw(app.url, path);
  expect([status, text]).toEqual([404, '"Sorry, we could not find what you asked for."']);
  expect(type).toContain("application/json");
});
