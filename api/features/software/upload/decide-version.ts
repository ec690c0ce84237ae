import { SoftwareBuild } from "#api/features/software/software-build.entity.ts";
import { compareVersions, readVersion, versionText } from "#api/features/software/version.ts";
import type { EntityManager } from "#api/platform/database.ts";
import { badInput } from "#api/platform/errors.ts";
import { MAX_VERSION_PART } from "#schema/rules/software.ts";

/** What may say the version of a build, each null where it does not. */
export interface VersionSources {
  readonly vsto: readonly number[] | null;
  /** Of the installer's resources. */
  readonly program: readonly number[] | null;
  readonly installerName: string | null;
  /** As the sender typed it. */
  readonly given: string | undefined;
}

/**
 * The version that an upload's files state: the `.vsto`, else the installer's resources, else its name, else what the
 * sender says, which must not say otherwise (decision 0042).
 * @returns null when nothing says it.
 * @throws AppError BAD_USER_INPUT when the sender says another one.
 */
export function decideVersion({ vsto, program, installerName, given }: VersionSources): string | null {
  const [, inName] = /(?:^|[^\d.])v?(\d+(?:\.\d+){1,3})\.exe$/i.exec(installerName ?? "") ?? [];
  const stated = vsto ?? program ?? (inName ? readVersion(inName) : null);
  if (!stated) return given || null;
  const givenParts = given ? readVersion(given) : null;
  if (givenParts && compareVersions(givenParts, stated) !== 0) {
    const source = vsto ? "the vsto file" : program ? "the installation file" : "the name of the installation file";
    throw badInput({ version: [`Version is ${versionText(stated)} by ${source}, not ${given}.`] });
  }
  return versionText(stated);
}

/**
 * The version after the highest build of a stage, published or not: its last number and one; 1.0.0 for the first.
 * @throws AppError BAD_USER_INPUT when there is none after it.
 */
export async function nextVersion(em: EntityManager, stage: number): Promise<string> {
  const [latest] = await em.find(SoftwareBuild, { stage }, { orderBy: { versionParts: "desc" }, limit: 1 });
  if (!latest) return "1.0.0";
  const parts = versionText(latest.versionParts).split(".").map(Number);
  const last = (parts.pop() ?? 0) + 1;
  if (last > MAX_VERSION_PART) throw badInput({ version: ["Version is required."] });
  return [...parts, last].join(".");
}
