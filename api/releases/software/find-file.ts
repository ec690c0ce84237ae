import { extname } from "node:path";
import { brand } from "#schema/brand.ts";
import type { Context } from "#api/platform/context.ts";
import type { SentFile } from "#api/platform/files/send-file.ts";
import { findPublishedBuild, findOfferedBuild } from "./find-build.ts";
import type { SoftwareBuild, SoftwareDownloadKind } from "./software-build.entity.ts";
import { toPathKey } from "./upload/safe-path.ts";

/** A file of a published build to serve. */
export interface ServedFile extends SentFile {
  readonly buildId: string;
  readonly storageKey: string;
  /** Kind of download to count; null if it isn't counted. */
  readonly countedAs: SoftwareDownloadKind | null;
}

/** Cache header for URLs whose file changes when another build is offered. */
const REVALIDATE = "public, no-cache";
/** Cache header for files that never change. Caches notice a withdrawal within an hour. */
const CACHE_ONE_HOUR = "public, max-age=3600";

/** Media type of Windows programs (IANA). Clients don't show it as a page, and proxies don't compress it. */
const PROGRAM_TYPE = "application/vnd.microsoft.portable-executable";

/** Media types that ClickOnce requires. All other files are served as bytes. */
const typesByExtension: Readonly<Record<string, string>> = {
  ".vsto": "application/x-ms-vsto",
  ".manifest": "application/x-ms-manifest",
  ".application": "application/x-ms-application",
  ".exe": PROGRAM_TYPE,
};

/** Maximum length of `software_files.path`. */
const MAX_PATH = 255;

/** File name in `/software/{stage}/setup.exe`, the URL used in the portal and emails. */
const CURRENT_INSTALLER = brand.installerPath.split("/").at(-1);

/**
 * Returns the file at a path below a stage's URL, or null. Looks in this order: `setup.exe` for the offered installer;
 * `{version}/{file}` for a file from one build; the `.vsto` of the offered build; an application file of any published
 * build, the offered one first, because a client may be in the middle of an update. Unpublished and withdrawn builds
 * have no files. The path is only compared with database rows, never used to open a file.
 */
export async function findFile(
  context: Pick<Context, "em" | "pool">,
  stage: number,
  path: string,
): Promise<ServedFile | null> {
  if (path.length > MAX_PATH || path.includes("\0")) return null;
  if (path === CURRENT_INSTALLER) {
    const build = await findOfferedBuild(context, stage);
    return build && toInstallerFile(build, REVALIDATE);
  }
  const [first = "", ...rest] = path.split("/");
  const build = rest.length > 0 ? await findPublishedBuild(context, stage, first) : null;
  if (!build) return findOtherFile(context, stage, toPathKey(path), null);
  const below = rest.join("/");
  return below === build.fileName
    ? toInstallerFile(build, CACHE_ONE_HOUR)
    : findOtherFile(context, stage, toPathKey(below), build.id);
}

function toInstallerFile(build: SoftwareBuild, cacheControl: string): ServedFile {
  const { id, storageKey, sizeBytes, sha256, fileName, publishedAt, createdAt } = build;
  return {
    buildId: id,
    storageKey,
    sizeBytes,
    sha256,
    type: PROGRAM_TYPE,
    saveAs: fileName,
    since: publishedAt ?? createdAt,
    cacheControl,
    countedAs: "installer",
  };
}

interface Row {
  buildId: string;
  isManifest: boolean;
  storageKey: string;
  sizeBytes: number;
  sha256: string;
  publishedMs: number;
}

/**
 * Returns a file other than an installer, from one build or (if `buildId` is null) from any build of the stage that has
 * it.
 */
async function findOtherFile(
  { pool }: Pick<Context, "pool">,
  stage: number,
  pathKey: string,
  buildId: string | null,
): Promise<ServedFile | null> {
  const { rows } = await pool.query<Row>({
    name: "software-file",
    text: `select b.id as "buildId", f.kind = 'deployment-manifest' as "isManifest", f.storage_key as "storageKey",
                  f.size_bytes as "sizeBytes", f.sha256, (extract(epoch from b.published_at) * 1000)::float8 as "publishedMs"
             from software_files f
             join software_builds b on b.id = f.build_id
            where f.path_key = $2 and b.stage = $1 and b.published_at is not null and b.withdrawn_at is null
              and case when $3::uuid is not null then b.id = $3::uuid
                       else f.kind = 'application-file' or b.id = (select build_id from software_channels where stage = $1) end
            order by b.id is not distinct from (select build_id from software_channels where stage = $1) desc, b.version_parts desc limit 1`,
    values: [stage, pathKey, buildId],
  });
  const [row] = rows;
  if (!row) return null;
  const { publishedMs, isManifest, ...file } = row;
  return {
    ...file,
    type: typesByExtension[extname(pathKey)] ?? "application/octet-stream",
    saveAs: null,
    since: new Date(publishedMs),
    cacheControl: isManifest && buildId === null ? REVALIDATE : CACHE_ONE_HOUR,
    countedAs: isManifest ? "application" : null,
  };
}
