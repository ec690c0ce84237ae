import type { FileUpload } from "graphql-upload/processRequest.mjs";
import type { Writable, Readable } from "node:stream";
import GraphQLUpload from "graphql-upload/GraphQLUpload.mjs";
import { Arg, Ctx, Mutation, Resolver } from "type-graphql";
import {
  uploadSoftwareRules,
  type UploadSoftwareValues,
  softwareStages,
  softwareUploadRequestRules,
} from "#schema/software.ts";
import {
  type SoftwareFileField,
  softwareFiles,
  describeVersionSource,
  formatUploadMessage,
  softwareFileErrors,
  softwareFileFields,
} from "#schema/software-upload.ts";
import { formatNumber } from "#schema/numbers.ts";
import { describeBuild } from "#api/releases/software/describe-build.ts";
import { SoftwareBuildRow } from "#api/releases/software/software-build.type.ts";
import { Allow } from "#api/platform/graphql/declare.ts";
import type { Context } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { AppError, badInput } from "#api/platform/errors.ts";
import { createLargeFileError, createIncompleteFileError, translateFullDisk, uploadLimits } from "./upload-errors.ts";
import { type Spool, withSpool } from "./spool.ts";
import { uploadSoftware } from "./upload-software.ts";
import type { FieldErrors } from "#schema/error-codes.ts";
import { findLabel, formatLegend } from "#schema/closed-list.ts";
import { receiveJson, receiveMultipart } from "./receive-upload.ts";
import { describedText, routesOf } from "#api/platform/http/define-route.ts";
import { check } from "#api/platform/validate.ts";

const UploadSoftwareInput = createInput("UploadSoftwareInput", uploadSoftwareRules, {
  description: "Where to upload a build.",
  fields: {
    version:
      "The version, such as 7.2.0. Must match the files if they state one. Without any, the build waits as a draft until `setSoftwareVersion`.",
  },
});

const describeLimit = (field: SoftwareFileField) => `At most ${formatNumber(softwareFiles[field].maxBytes)} bytes.`;

@Resolver()
export class UploadSoftwareResolver {
  @Allow("admin", { roles: ["release"], scope: "software:write", proof: "conditional", harm: "others" })
  @Mutation(() => SoftwareBuildRow, {
    description:
      "Uploads a build without publishing it. Only the installer is required; the zip and the vsto file must come together. Send the request as multipart/form-data (GraphQL multipart request).",
  })
  async uploadSoftware(
    @CheckedArg("input", UploadSoftwareInput) input: UploadSoftwareValues,
    @Arg("installationFile", () => GraphQLUpload, { description: describeLimit("installationFile") })
    installationFile: Promise<FileUpload>,
    @Arg("applicationFilesZipFile", () => GraphQLUpload, {
      nullable: true,
      description: describeLimit("applicationFilesZipFile"),
    })
    applicationFilesZipFile: Promise<FileUpload> | undefined,
    @Arg("vstoFile", () => GraphQLUpload, { nullable: true, description: describeLimit("vstoFile") })
    vstoFile: Promise<FileUpload> | undefined,
    @Ctx() context: Context,
  ): Promise<SoftwareBuildRow> {
    return withSpool(context, async (spool) => {
      for (const [field, upload] of Object.entries({ installationFile, applicationFilesZipFile, vstoFile }))
        if (upload) await receive(spool, field as SoftwareFileField, upload);
      return describeBuild(context, await uploadSoftware(context, input, spool.files));
    });
  }
}

/** An upload with the write stream of its temporary file, which the library's types leave out. */
type BufferedUpload = FileUpload & { readonly capacitor: Writable };

/** Copies an uploaded file to the spool as it arrives. */
async function receive(spool: Spool, field: SoftwareFileField, upload: Promise<FileUpload>): Promise<void> {
  try {
    const { filename, createReadStream, capacitor } = (await upload) as BufferedUpload;
    // The library doesn't pass write errors (such as a full disk) to readers, which would wait forever.
    if (capacitor.errored) throw capacitor.errored;
    const content = createReadStream();
    // Without a listener, an error would end the process.
    content.on("error", () => {});
    capacitor.once("error", (error) => content.destroy(error));
    try {
      await spool.receive(field, filename, content);
    } finally {
      content.destroy();
    }
  } catch (error) {
    const known = translateFullDisk(error);
    if (known instanceof AppError) throw known;
    // The library throws if the file is too large or the client disconnected.
    throw (error as { status?: number }).status === 413
      ? createLargeFileError(field)
      : createIncompleteFileError(field);
  }
}

const defineRoute = routesOf("Software");

/** Call for uploading builds of the add-in. */
export const softwareUploadRoutes = [
  defineRoute("POST /v1/software/upload", {
    operation: "Mutation.uploadSoftware",
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
        const values = validateFields(await receiveBody(spool, upload, contentType), spool);
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

function receiveBody(spool: Spool, body: Readable, contentType: string): Promise<Record<string, unknown>> {
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
          "Version of the build, such as 7.2.0. Must match the files if they state one. Without any, the build waits as a draft",
      },
      publish: { type: "boolean", description: "Whether to publish the build immediately", default: false },
      ...Object.fromEntries(softwareFileFields.map((field) => [field, describeFile(field)])),
      ...Object.fromEntries(names),
    },
  };
}
