import { once } from "node:events";
import fs from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { syncBuiltinESMExports } from "node:module";
import { text } from "node:stream/consumers";
import { afterEach, expect, test, vi } from "vitest";
import { SoftwareBuild } from "#api/releases/software/software-build.entity.ts";
import { createBareProgram, createClickOnceBuild } from "#tests/factories/click-once.ts";
import { listStoredKeys } from "#tests/factories/software.ts";
import {
  getUploadedFiles,
  listSpooledFiles,
  uploadGraphql,
  uploadMultipart,
  useOwnTemporaryFolder,
} from "#tests/factories/software-upload.ts";
import { createAdmin, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
useOwnTemporaryFolder(app);
const admin = await signInAs(app, await createAdmin(app));
const setup = { installationFile: { name: "setup.exe", content: createBareProgram() } };
const UPLOAD_PATH = "/v1/software/upload";

afterEach(async () => {
  await vi.waitFor(() => expect(listSpooledFiles(app)).toEqual([]));
  expect(await listStoredKeys(app.services.files)).toEqual([]);
  expect(await app.context().em.count(SoftwareBuild)).toBe(0);
});

const multipart = { "content-type": "multipart/form-data; boundary=b", "content-length": 80_000_000 };

/** Sends a body as browsers do, which read the response only after the whole body was accepted. */
async function sendBody(path: string, body: Buffer): Promise<{ status: number | undefined; text: string }> {
  const sent = request(app.url + path, {
    method: "POST",
    headers: {
      ...multipart,
      "content-length": body.length,
      authorization: `Bearer ${admin}`,
      "apollo-require-preflight": "true",
    },
  });
  const responded = once(sent, "response") as Promise<[IncomingMessage]>;
  const [[response]] = await Promise.all([responded, once(sent.end(body), "finish")]);
  return { status: response.statusCode, text: await text(response) };
}

test("responds to a malformed part and reads the rest of the body", async () => {
  const sent = await sendBody(
    UPLOAD_PATH,
    Buffer.concat([Buffer.from("--b\r\nno header at all\r\n\r\n"), Buffer.alloc(30_000_000, "x")]),
  );
  expect(sent).toEqual({ status: 400, text: expect.stringContaining("body") });
});

test("reads the file of a rejected upload to its end, so that browsers show the response", async () => {
  const input = { softwareStage: "ALPHA", version: "seven" };
  const operations = {
    query: `mutation ($input: UploadSoftwareInput!, $file: Upload!) { uploadSoftware(input: $input, installationFile: $file) { id } }`,
    variables: { input },
  };
  const part = (name: string, more = "") => `--b\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n`;
  const body = Buffer.concat([
    Buffer.from(`${part("operations")}${JSON.stringify(operations)}\r\n`),
    Buffer.from(`${part("map")}{"0":["variables.file"]}\r\n${part("0", '; filename="setup.exe"')}`),
    Buffer.alloc(60_000_000, "M"),
    Buffer.from("\r\n--b--\r\n"),
  ]);
  const { status, text: answer } = await sendBody("/graphql", body);
  expect([status, answer]).toEqual([400, expect.stringContaining("Version must be one to four numbers")]);
});

test.each([
  ["/graphql", "multipart"],
  [UPLOAD_PATH, "multipart"],
  [UPLOAD_PATH, "base64"],
])("leaves no files when a connection to %s breaks halfway through %s", async (path, kind) => {
  const build = await createClickOnceBuild("7.3.0", { installer: createBareProgram(4_000_000) });
  const files = getUploadedFiles(build);
  const form = new FormData();
  if (path === "/graphql") {
    form.set(
      "operations",
      JSON.stringify({
        query:
          "mutation ($a: Upload!, $b: Upload!, $c: Upload!) { uploadSoftware(input: { softwareStage: BETA }, installationFile: $a, applicationFilesZipFile: $b, vstoFile: $c) { id } }",
      }),
    );
    form.set(
      "map",
      '{"vstoFile":["variables.c"],"applicationFilesZipFile":["variables.b"],"installationFile":["variables.a"]}',
    );
  } else form.set("softwareStage", "3");
  for (const field of ["vstoFile", "applicationFilesZipFile", "installationFile"] as const)
    form.set(field, new Blob([new Uint8Array(files[field]?.content ?? [])]), files[field]?.name);
  const encoded = new Response(form);
  const body =
    kind === "base64"
      ? Buffer.from(JSON.stringify({ softwareStage: 3, installationFile: build.installer.content.toString("base64") }))
      : Buffer.from(await encoded.arrayBuffer());
  const type = kind === "base64" ? "application/json" : (encoded.headers.get("content-type") ?? "");
  await new Promise<void>((resolve) => {
    const sent = request(app.url + path, {
      method: "POST",
      headers: {
        "content-type": type,
        "content-length": body.length,
        authorization: `Bearer ${admin}`,
        "apollo-require-preflight": "true",
      },
    });
    sent.on("error", () => {});
    sent.on("close", () => resolve());
    sent.write(
      body.subarray(0, body.length / 2),
      () => void vi.waitFor(() => expect(listSpooledFiles(app)).not.toEqual([])).then(() => sent.destroy()),
    );
  });
});

test("reports a full disk and leaves no files of the upload", async () => {
  const files = app.services.files as { put: typeof app.services.files.put };
  const { put } = files;
  let stored = 0;
  files.put = async (key, content) => {
    if (++stored === 3) {
      content.destroy();
      throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
    }
    return put(key, content);
  };
  try {
    const upload = getUploadedFiles(await createClickOnceBuild("7.3.0"));
    const rest = await uploadMultipart(app, admin, { softwareStage: "3" }, upload);
    const sentence = "The server's disk is full, so nothing was uploaded. Contact the operator of the server.";
    expect([rest.status, rest.json.Message]).toEqual([503, sentence]);
    stored = 0;
    const graphql = await uploadGraphql(app, admin, { softwareStage: 3 }, upload);
    expect([graphql.status, graphql.json.errors[0].message]).toEqual([503, sentence]);
  } finally {
    files.put = put;
  }
});

test("reports a full disk when temporary files can't be written", async () => {
  const { write } = fs;
  const isTemporaryWrite = (given: readonly unknown[]) => given.length === 6 && typeof given[4] === "number";
  fs.write = ((...given: unknown[]) => {
    if (!isTemporaryWrite(given)) return Reflect.apply(write, fs, given);
    const full = Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
    queueMicrotask(() => (given[5] as (error: Error) => void)(full));
  }) as typeof write;
  syncBuiltinESMExports();
  try {
    const { status, json } = await uploadGraphql(app, admin, { softwareStage: 3 }, setup);
    expect([status, json.errors[0].message]).toEqual([503, expect.stringContaining("The server's disk is full")]);
  } finally {
    fs.write = write;
    syncBuiltinESMExports();
  }
});
