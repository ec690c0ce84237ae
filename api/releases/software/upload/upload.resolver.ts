import type { FileUpload } from "graphql-upload/processRequest.mjs";
import type { Writable } from "node:stream";
import GraphQLUpload from "graphql-upload/GraphQLUpload.mjs";
import { Arg, Ctx, Mutation, Resolver } from "type-graphql";
import type { InferType } from "yup";
import { uploadSoftwareRules } from "#schema/software.ts";
import { type SoftwareFileField, softwareFiles } from "#schema/software-upload.ts";
import { formatNumber } from "#schema/numbers.ts";
import { describeBuilds } from "#api/releases/software/describe-build.ts";
import { SoftwareBuildRow } from "#api/releases/software/software-build.type.ts";
import { Allow } from "#api/platform/graphql/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { AppError } from "#api/platform/errors.ts";
import { createLargeFileError, createIncompleteFileError, translateFullDisk } from "./upload-errors.ts";
import { type Spool, withSpool } from "./spool.ts";
import { uploadSoftware } from "./upload-software.ts";

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
    @CheckedArg("input", UploadSoftwareInput) input: InferType<typeof uploadSoftwareRules>,
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
    const build = await withSpool(context, async (spool) => {
      for (const [field, upload] of Object.entries({ installationFile, applicationFilesZipFile, vstoFile }))
        if (upload) await receive(spool, field as SoftwareFileField, upload);
      return uploadSoftware(context, input, spool.files);
    });
    const [row] = await describeBuilds(context, [build.id]);
    return row as SoftwareBuildRow;
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
