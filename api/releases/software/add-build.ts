import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import { addBuildRules, type AddBuildValues } from "#schema/software.ts";
import type { InstallerSignature, SoftwareFileKind, VersionSource } from "#schema/software-upload.ts";
import { User } from "#api/people/users/user.entity.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inTransaction } from "#api/platform/database/database.ts";
import { badInput, isDatabaseUnavailable } from "#api/platform/errors.ts";
import type { StoredContent } from "#api/platform/files/files.ts";
import { check } from "#api/platform/validate.ts";
import { rejectOldVersion } from "./publish-build.ts";
import { SoftwareBuild, SoftwareFile } from "./software-build.entity.ts";
import { parseVersion } from "./version.ts";

/** Storage key prefix of build files. */
export const BUILDS_KEY = "software";

/** Version parts of a draft without a version. */
const NO_VERSION = [0, 0, 0, 0];

/** A checked file of a build, other than its installer. */
export interface AddedFile {
  readonly kind: SoftwareFileKind;
  readonly path: string;
  readonly pathKey: string;
  open(): Promise<Readable>;
}

export interface AddBuildOptions {
  readonly files?: readonly AddedFile[];
  /** Source of the version; null (the default) if unknown. */
  readonly versionSource?: VersionSource | null;
  /** Signature of the installer; null (the default) if it wasn't checked. */
  readonly signature?: InstallerSignature | null;
  /** Runs in the transaction that writes the build, for example to record the change. */
  readonly afterInsert?: (em: EntityManager, build: SoftwareBuild) => Promise<void>;
}

/**
 * Stores an installer and its other files as an unpublished build of a stage. Uses the transaction of the context, if
 * any. Files are stored before the rows, so that every build has its files; `deleteOrphanedFiles` removes orphans. Each
 * file is opened only when it is stored, so that no file stays open after an error.
 * @throws AppError BAD_USER_INPUT if the version isn't above every published version of the stage, a file is empty or a
 * value is invalid.
 */
export async function addBuild(
  context: Pick<Context, "em" | "files" | "clock"> & Partial<Pick<Context, "actor">>,
  values: AddBuildValues,
  openInstaller: () => Promise<Readable>,
  { files = [], versionSource = null, signature = null, afterInsert = async () => {} }: AddBuildOptions = {},
): Promise<SoftwareBuild> {
  const { stage, version, fileName } = check(addBuildRules, values);
  const versionParts = parseVersion(version) ?? NO_VERSION;
  const id = randomUUID();
  const { em } = context;
  if (version) await rejectOldVersion(em, stage, versionParts);
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
    const writeBuild = async (unit: EntityManager): Promise<SoftwareBuild> => {
      const build = unit.create(SoftwareBuild, {
        id,
        stage,
        version,
        versionParts,
        versionSource,
        signature,
        fileName,
        ...storedInstaller,
        createdAt: context.clock.now(),
        uploadedBy: context.actor ? unit.getReference(User, context.actor.userId) : null,
      });
      for (const { kind, path, pathKey, storageKey, sizeBytes, sha256 } of storedFiles)
        unit.create(SoftwareFile, { build, kind, path, pathKey, storageKey, sizeBytes, sha256 });
      await unit.flush();
      await afterInsert(unit, build);
      return build;
    };
    return await inTransaction({ em }, writeBuild);
  } catch (error) {
    // Keep the files if the database is unreachable, because the build may have been committed. Files that can't be deleted
    // are removed later as orphans.
    if (!isDatabaseUnavailable(error)) for (const key of keys) await context.files.delete(key).catch(() => {});
    throw error;
  }
}
