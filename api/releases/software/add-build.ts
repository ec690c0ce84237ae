import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import { type AddBuildValues, addBuildRules } from "#schema/rules/software.ts";
import type { VersionSource } from "#schema/software-upload.ts";
import { User } from "#api/people/users/user.entity.ts";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database.ts";
import { badInput, isDatabaseAway } from "#api/platform/errors.ts";
import type { StoredContent } from "#api/platform/files/files.ts";
import { check } from "#api/platform/validate.ts";
import { inTransaction } from "#api/platform/transactions.ts";
import { refuseOldVersion } from "./publish-build.ts";
import { SoftwareBuild } from "./software-build.entity.ts";
import { SoftwareFile, type SoftwareFileKind } from "./software-file.entity.ts";
import { readVersion } from "./version.ts";

/** Under which the files of builds are stored. */
export const BUILDS_KEY = "software";

/** A file of a build besides its installer, checked already. */
export interface AddedFile {
  readonly kind: SoftwareFileKind;
  readonly path: string;
  readonly pathKey: string;
  open(): Promise<Readable>;
}

/** What else belongs to a build that is added. */
export interface AddedBesides {
  readonly files?: readonly AddedFile[];
  /** Where the version was read; default null, unknown. */
  readonly versionSource?: VersionSource | null;
  /** Runs in the transaction that writes the build, such as to note who did it. */
  readonly andThen?: (em: EntityManager, build: SoftwareBuild) => Promise<void>;
}

/**
 * Keeps an installer, and the files beside it, as a build of its stage, which nobody is offered before it is published.
 * Each file is opened when it is stored, so that a refusal leaves none open.
 * The files are stored first, so that no build is there without them; those whose row never came are removed later
 * (`forgetStrayFiles`). Runs in the context's transaction when it has one.
 * @throws AppError BAD_USER_INPUT for a version that is not above every published one of its stage, an empty file, or
 * faulty values.
 */
export async function addBuild(
  context: Pick<Context, "em" | "files" | "clock"> & Partial<Pick<Context, "actor">>,
  given: AddBuildValues,
  openInstaller: () => Promise<Readable>,
  { files = [], versionSource = null, andThen = async () => {} }: AddedBesides = {},
): Promise<SoftwareBuild> {
  const { stage, version, fileName } = check(addBuildRules, given);
  const versionParts = readVersion(version);
  if (!versionParts)
    throw badInput({ version: ["Version must be one to four numbers with dots between, such as 7.2.0."] });
  const id = randomUUID();
  const { em } = context;
  await refuseOldVersion(em, stage, versionParts);
  const keys: string[] = [];
  const store = async (name: string, content: Readable): Promise<{ storageKey: string } & StoredContent> => {
    const storageKey = `${BUILDS_KEY}/${id}/${name}`;
    keys.push(storageKey);
    return { storageKey, ...(await context.files.put(storageKey, content)) };
  };
  try {
    const storedInstaller = await store("installer", await openInstaller());
    if (storedInstaller.sizeBytes === 0) throw badInput({ installationFile: ["Installation file is empty."] });
    const storedFiles: (AddedFile & { storageKey: string } & StoredContent)[] = [];
    for (const [index, file] of files.entries())
      storedFiles.push({ ...file, ...(await store(`file-${index + 1}`, await file.open())) });
    const write = async (unit: EntityManager): Promise<SoftwareBuild> => {
      const build = unit.create(SoftwareBuild, {
        id,
        stage,
        version,
        versionParts,
        versionSource,
        fileName,
        ...storedInstaller,
        createdAt: context.clock.now(),
        uploadedBy: context.actor ? unit.getReference(User, context.actor.userId) : null,
      });
      for (const { kind, path, pathKey, storageKey, sizeBytes, sha256 } of storedFiles)
        unit.create(SoftwareFile, { build, kind, path, pathKey, storageKey, sizeBytes, sha256 });
      await unit.flush();
      await andThen(unit, build);
      return build;
    };
    return await inTransaction({ em }, write);
  } catch (error) {
    // With the database away nobody knows whether the build is there: its files may be needed.
    // What can't be deleted, as the bucket is away, goes later as a stray.
    if (!isDatabaseAway(error)) for (const key of keys) await context.files.delete(key).catch(() => {});
    throw error;
  }
}
