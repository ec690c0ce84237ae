import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterAll } from "vitest";
import type { ClickOnceBuild } from "#tests/factories/click-once.ts";
import { sendRequest } from "#tests/support/send-request.ts";
import type { RestResponse, TestApp } from "#tests/support/test-app.ts";
import { softwareStages } from "#schema/software.ts";
import { findEntry } from "#schema/closed-list.ts";

export interface UploadedFile {
  readonly name: string;
  readonly content: Buffer;
}

/** The files in an upload, by field. */
export type UploadedFiles = Readonly<
  Partial<Record<"installationFile" | "applicationFilesZipFile" | "vstoFile", UploadedFile>>
>;

/** Returns the three files of a build by field. */
export function getUploadedFiles({ installer, vsto, zip }: ClickOnceBuild): UploadedFiles {
  return { installationFile: installer, applicationFilesZipFile: zip, vstoFile: vsto };
}

type App = Pick<TestApp, "url">;

/** Calls `POST /v1/software/upload` with multipart/form-data. */
export function uploadMultipart(
  app: App,
  token: string | null,
  fields: Readonly<Record<string, string>>,
  files: UploadedFiles,
): Promise<RestResponse> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  for (const [field, { name, content }] of Object.entries(files)) form.set(field, toBlob(content), name);
  return sendRequest(`${app.url}/v1/software/upload`, "POST", { body: form, token });
}

/** Calls `POST /v1/software/upload` with JSON and base64 files. */
export function uploadBase64(
  app: App,
  token: string | null,
  values: Readonly<Record<string, unknown>>,
  files: UploadedFiles,
): Promise<RestResponse> {
  const body: Record<string, unknown> = { ...values };
  for (const [field, { name, content }] of Object.entries(files)) {
    body[field] = content.toString("base64");
    body[`${field}Name`] = name;
  }
  return sendRequest(`${app.url}/v1/software/upload`, "POST", { body, token });
}

const UPLOAD = `mutation Upload($input: UploadSoftwareInput!, $installationFile: Upload!, $applicationFilesZipFile: Upload, $vstoFile: Upload) {
  uploadSoftware(input: $input, installationFile: $installationFile, applicationFilesZipFile: $applicationFilesZipFile, vstoFile: $vstoFile) {
    id stage stageLabel version state fileName sizeBytes sha256 url uploadedBy publishedAt
    files { path kind sizeBytes sha256 url }
  }
}`;

/** Sends the `uploadSoftware` mutation as a GraphQL multipart request. The stage is a number, as over REST. */
export function uploadGraphql(
  app: App,
  token: string | null,
  input: Readonly<Record<string, unknown>>,
  files: UploadedFiles,
): Promise<RestResponse> {
  const { softwareStage: stage, ...rest } = input;
  const softwareStage = findEntry(softwareStages, stage)?.code ?? stage;
  return sendOperations(app, token, { query: UPLOAD, variables: { input: { ...rest, softwareStage } } }, files);
}

/** Sends a GraphQL multipart request. Each file is a variable with the name of its field. */
export function sendOperations(
  app: App,
  token: string | null,
  operations: unknown,
  files: Readonly<Record<string, UploadedFile>>,
  headers: Record<string, string> = { "apollo-require-preflight": "true" },
): Promise<RestResponse> {
  const form = new FormData();
  form.set("operations", JSON.stringify(operations));
  const map = Object.fromEntries(Object.keys(files).map((field) => [field, [`variables.${field}`]]));
  form.set("map", JSON.stringify(map));
  for (const [field, { name, content }] of Object.entries(files)) form.set(field, toBlob(content), name);
  return sendRequest(`${app.url}/graphql`, "POST", { body: form, token, headers });
}

/** Uses a separate temporary folder for this test file. */
export function useOwnTemporaryFolder({ services }: Pick<TestApp, "services">): void {
  const folder = join(services.config.dataDir, "tmp");
  mkdirSync(folder, { recursive: true });
  const { TMPDIR } = process.env;
  process.env.TMPDIR = folder;
  afterAll(() => {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  });
}

/** Lists the temporary files of uploads. Needs {@link useOwnTemporaryFolder}. */
export function listSpooledFiles({ services }: Pick<TestApp, "services">): string[] {
  const spools = join(services.config.dataDir, "uploads");
  return [...(existsSync(spools) ? readdirSync(spools) : []), ...readdirSync(tmpdir())];
}

function toBlob(content: Buffer): Blob {
  return new Blob([new Uint8Array(content)]);
}
