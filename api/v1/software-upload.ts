import type { Readable } from "node:stream";
import type { FieldErrors } from "#schema/error-codes.ts";
import { softwareStages, softwareUploadRequestRules } from "#schema/software.ts";
import { findLabel, formatLegend } from "#schema/closed-list.ts";
import {
  describeVersionSource,
  formatUploadMessage,
  softwareFileErrors,
  softwareFileFields,
  softwareFiles,
} from "#schema/software-upload.ts";
import { receiveJson } from "#api/releases/software/upload/receive-json.ts";
import { receiveMultipart } from "#api/releases/software/upload/receive-multipart.ts";
import { uploadLimits } from "#api/releases/software/upload/upload-errors.ts";
import { type Spool, withSpool } from "#api/releases/software/upload/spool.ts";
import { uploadSoftware } from "#api/releases/software/upload/upload-software.ts";
import { describedText } from "#api/platform/http/json-types.ts";
import { AppError, badInput } from "#api/platform/errors.ts";
import { check } from "#api/platform/validate.ts";
import { defineRoute } from "./define-route.ts";

/** Call for uploading builds of the add-in. */
export const softwareUploadRoutes = [
  defineRoute({
    method: "POST",
    url: "/v1/software/upload",
    operation: "Mutation.uploadSoftware",
    tag: "Software",
    summary:
      "Upload a build of the add-in. The build isn't published until you publish it or set `publish` to true. Use multipart/form-data if possible. JSON with base64 is also accepted",
    upload: {
      types: ["multipart/form-data", "application/json"],
      maxBytes: uploadLimits.base64Bytes,
      rateLimit: "softwareUpload",
      schemas: { "multipart/form-data": buildBodySchema("binary"), "application/json": buildBodySchema("base64") },
      examples: {
        "multipart/form-data": { softwareStage: 4, installationFile: "setup.exe" },
        "application/json": { softwareStage: 4, installationFileName: "setup.exe", installationFile: "TVqQAAMAAAAE…" },
      },
    },
    errors: ["BAD_USER_INPUT", "CONFLICT", "UNPROCESSABLE"],
    response: describedText("Message to show after the upload"),
    example: "Version 7.3.0 has been uploaded to Beta. Publish it when it is ready.",
    handler: ({ context, upload, contentType }) =>
      withSpool(context, async (spool) => {
        const values = validateFields(await receive(spool, upload, contentType), spool);
        const { version, versionSource, publishedAt } = await uploadSoftware(context, values, spool.files);
        const stage = findLabel(softwareStages, values.softwareStage);
        if (values.publish && !publishedAt)
          return `Version ${version}, ${describeVersionSource(versionSource)}, has been uploaded to ${stage}. Another admin must publish it.`;
        return values.publish
          ? `Version ${version}, ${describeVersionSource(versionSource)}, has been uploaded to ${stage} and published.`
          : formatUploadMessage(version, stage);
      }),
  }),
];

function receive(spool: Spool, body: Readable, contentType: string): Promise<Record<string, unknown>> {
  return /^multipart\//i.test(contentType) ? receiveMultipart(spool, body, contentType) : receiveJson(spool, body);
}

/** Validates the fields of an upload. A missing installer is reported together with any other errors. */
function validateFields(given: Record<string, unknown>, { files }: Spool) {
  const missing: FieldErrors = files.installationFile ? {} : { installationFile: [softwareFileErrors.required] };
  try {
    return check(softwareUploadRequestRules, given);
  } catch (error) {
    throw error instanceof AppError && error.fields ? badInput({ ...error.fields, ...missing }) : error;
  }
}

/** Builds the schema of the request body for one of the two content types. */
function buildBodySchema(kind: "binary" | "base64"): object {
  const describeFile = (field: (typeof softwareFileFields)[number]) => {
    const { extension, maxBytes } = softwareFiles[field];
    const description = `${extension}, at most ${maxBytes} bytes${kind === "base64" ? " once decoded; base64 or a data URL" : ""}`;
    return {
      type: "string",
      ...(kind === "binary" ? { format: "binary" } : { contentEncoding: "base64" }),
      description,
    };
  };
  const names = kind === "base64" ? softwareFileFields.map((field) => [`${field}Name`, { type: "string" }]) : [];
  return {
    type: "object",
    required: ["softwareStage", "installationFile"],
    properties: {
      softwareStage: {
        type: "integer",
        enum: softwareStages.map(({ value }) => value),
        description: formatLegend(softwareStages),
      },
      version: {
        type: "string",
        description:
          "Version of the build, such as 7.2.0. Required if the files don't contain a version; otherwise it must match them",
      },
      publish: { type: "boolean", description: "Whether to publish the build immediately", default: false },
      ...Object.fromEntries(softwareFileFields.map((field) => [field, describeFile(field)])),
      ...Object.fromEntries(names),
    },
  };
}
