import type { FileUpload } from "graphql-upload/processRequest.mjs";
import type { Writable } from "node:stream";
import GraphQLUpload from "graphql-upload/GraphQLUpload.mjs";
import { Arg, Ctx, Field, InputType, Int, Mutation, Resolver } from "type-graphql";
import { legend, softwareStages } from "#schema/catalogue.ts";
import { uploadSoftwareRules } from "#schema/rules/software.ts";
import { type SoftwareFileField, softwareFiles } from "#schema/software-files.ts";
import { describeBuilds } from "#api/releases/software/describe-build.ts";
import { SoftwareBuildRow } from "#api/releases/software/software-build.type.ts";
import { Allow } from "#api/platform/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { AppError } from "#api/platform/errors.ts";
import { check } from "#api/platform/validate.ts";
import { refuseLargeFile, refusePart, sayWhenDiskIsFull } from "./refusals.ts";
import { type Spool, withSpool } from "./spool.ts";
import { uploadSoftware } from "./upload-software.ts";

@InputType()
export class UploadSoftwareInput {
  @Field(() => Int, { description: legend(softwareStages) })
  softwareStage!: number;

  @Field(() => String, {
    nullable: true,
    description: "Such as 7.2.0. Required if the files don't state a version, and must agree with them if they do.",
  })
  version?: string;
}

const limitOf = (field: SoftwareFileField) => `At most ${softwareFiles[field].maxBytes.toLocaleString("en-AU")} bytes.`;

@Resolver()
export class UploadSoftwareResolver {
  @Allow("admin")
  @Mutation(() => SoftwareBuildRow, {
    description:
      "Uploads a build, which waits to be published. The installer alone is enough; the zip and the vsto file come together. Sent as multipart/form-data (GraphQL multipart request).",
  })
  async uploadSoftware(
    @Arg("input", () => UploadSoftwareInput) input: UploadSoftwareInput,
    @Arg("installationFile", () => GraphQLUpload, { description: limitOf("installationFile") })
    installationFile: Promise<FileUpload>,
    @Arg("applicationFilesZipFile", () => GraphQLUpload, {
      nullable: true,
      description: limitOf("applicationFilesZipFile"),
    })
    applicationFilesZipFile: Promise<FileUpload> | undefined,
    @Arg("vstoFile", () => GraphQLUpload, { nullable: true, description: limitOf("vstoFile") })
    vstoFile: Promise<FileUpload> | undefined,
    @Ctx() context: Context,
  ): Promise<SoftwareBuildRow> {
    const values = check(uploadSoftwareRules, input);
    const build = await withSpool(context, async (spool) => {
      for (const [field, upload] of Object.entries({ installationFile, applicationFilesZipFile, vstoFile }))
        if (upload) await receive(spool, field as SoftwareFileField, upload);
      return uploadSoftware(context, values, spool.files);
    });
    const [row] = await describeBuilds(context, [build.id]);
    return row as SoftwareBuildRow;
  }
}

/** With the file that it is kept in, which the library's types leave out as its own affair. */
type KeptUpload = FileUpload & { readonly capacitor: Writable };

/** Takes a file that the request's reader keeps aside while it arrives. */
async function receive(spool: Spool, field: SoftwareFileField, upload: Promise<FileUpload>): Promise<void> {
  try {
    const { filename, createReadStream, capacitor } = (await upload) as KeptUpload;
    // The keeper of the file tells only itself that it can't write, as on a full disk: its readers would wait for ever.
    if (capacitor.errored) throw capacitor.errored;
    const content = createReadStream();
    // Heard from here on, also before anybody reads: an error without a listener would end the process.
    content.on("error", () => {});
    capacitor.once("error", (error) => content.destroy(error));
    try {
      await spool.receive(field, filename, content);
    } finally {
      content.destroy();
    }
  } catch (error) {
    const known = sayWhenDiskIsFull(error);
    if (known instanceof AppError) throw known;
    // The reader's own errors: the file is larger than any may be, or its sender has gone.
    throw (error as { status?: number }).status === 413 ? refuseLargeFile(field) : refusePart(field);
  }
}
