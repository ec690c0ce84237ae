import { extname } from "node:path";
import { brand } from "#schema/brand.ts";
import type { Context } from "#api/platform/context.ts";
import type { SentFile } from "#api/platform/files/send-file.ts";
import { findBuildOf, findCurrentBuild } from "./find-build.ts";
import type { SoftwareBuild } from "./software-build.entity.ts";
import { keyOfPath } from "./upload/safe-path.ts";
import type { SoftwareDownloadKind } from "./software-download.entity.ts";

/** A file of a published build, as it is sent. */
export interface ServedFile extends SentFile {
  readonly buildId: string;
  readonly storageKey: string;
  /** As what sending it is counted; null: not at all. */
  readonly countedAs: SoftwareDownloadKind | null;
}

/** Of an address that leads to another file once another build is offered. */
const ASK_AGAIN = "public, no-cache";
/** Of a file that never changes, but may be taken back, which caches shall learn of within the hour. */
const KEEP_AN_HOUR = "public, max-age=3600";

/** Type of Windows programs (IANA); no client shows it as a page, and nothing compresses it again. */
const PROGRAM = "application/vnd.microsoft.portable-executable";

/** Types that ClickOnce asks of a web server; everything else it installs is bytes. */
const typeOfExtension: Readonly<Record<string, string>> = {
  ".vsto": "application/x-ms-vsto",
  ".manifest": "application/x-ms-manifest",
  ".application": "application/x-ms-application",
  ".exe": PROGRAM,
};

/** Longest path of a file (`software_files.path`). */
const MAX_PATH = 255;

/** `/software/{stage}/setup.exe`, which the portal and mails name. */
const CURRENT_INSTALLER = brand.installerPath.split("/").at(-1);

/**
 * What stands at a path below a stage's address, in this order: `setup.exe`, whatever the stage offers now;
 * `{version}/{file}`, the installer or another file of one build; the `.vsto` of the offered build; an application file
 * of any published build, as clients may be in the middle of an update, the offered one's first. The path is compared with rows and leads to
 * no file by itself; null where nothing is, and for what was never published or was taken back.
 */
export async function findFile(
  context: Pick<Context, "em" | "pool">,
  stage: number,
  path: string,
): Promise<ServedFile | null> {
  if (path.length > MAX_PATH || path.includes("\0")) return null;
  if (path === CURRENT_INSTALLER) {
    const build = await findCurrentBuild(context, stage);
    return build && installerOf(build, ASK_AGAIN);
  }
  const [first = "", ...rest] = path.split("/");
  const build = rest.length > 0 ? await findBuildOf(context, stage, first) : null;
  if (!build) return findBeside(context, stage, keyOfPath(path), null);
  const below = rest.join("/");
  return below === build.fileName
    ? installerOf(build, KEEP_AN_HOUR)
    : findBeside(context, stage, keyOfPath(below), build.id);
}

function installerOf(build: SoftwareBuild, cacheControl: string): ServedFile {
  const { id, storageKey, sizeBytes, sha256, fileName, publishedAt, createdAt } = build;
  return {
    buildId: id,
    storageKey,
    sizeBytes,
    sha256,
    type: PROGRAM,
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

/** A file that lies beside an installer: of one build, or of whichever of the stage has it. */
async function findBeside(
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
    type: typeOfExtension[extname(pathKey)] ?? "application/octet-stream",
    saveAs: null,
    since: new Date(publishedMs),
    cacheControl: isManifest && buildId === null ? ASK_AGAIN : KEEP_AN_HOUR,
    countedAs: isManifest ? "application" : null,
  };
}
