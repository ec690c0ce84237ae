import { isRecord } from "./answer.ts";
import { type ClientOptions, type NoAnswer, updateState } from "./requests.ts";
import { send } from "./http.ts";
import { type PublishedKey, readJws, readKeys } from "./signed-answer.ts";

export interface Update {
  readonly version: string;
  readonly url: string;
  /** Checksum of the file at `url`, in hex. Compare it before running the file. */
  readonly sha256: string;
}

/** Reason for which an update is refused although the server responded. */
export type UpdateRefusal = { readonly refused: "unsigned" | "different" | "expired" | "rolled-back" | "missing" };

const PRODUCTION = 4;

/**
 * Returns a newer add-in in a stage (Production by default), or null if this one is the newest. Requests version 0, because then every
 * response has a signed manifest: a server that keeps responding "nothing new" would otherwise freeze the add-in.
 */
export async function checkUpdate(
  options: ClientOptions,
  stage = PRODUCTION,
): Promise<Update | NoAnswer | UpdateRefusal | null> {
  const { releaseKeys, updateSequences, clockOffsetMs } = options.store.read();
  const answer = await send(options, "GET", `/v1/software/update?version=0&stage=${stage}`);
  if (answer.status === undefined) return answer;
  const known = updateSequences[stage];
  if (answer.status === 204) return known === undefined ? null : { refused: "missing" };
  if (answer.status === 400) return { unanswered: "rejected" };
  if (answer.status !== 200 || !isUpdate(answer.json)) return { unanswered: "garbage" };
  const { version, url, sha256, proof } = answer.json;
  const keys = releaseKeys.length > 0 ? releaseKeys : await fetchReleaseKeys(options);
  const manifest = readJws(proof, "update-manifest", keys);
  if (!isRecord(manifest)) return { refused: "unsigned" };
  const isSame =
    manifest.version === version && manifest.url === url && manifest.sha256 === sha256 && manifest.stage === stage;
  if (!isSame || !Number.isSafeInteger(manifest.sequence)) return { refused: "different" };
  if (typeof manifest.exp !== "number" || manifest.exp * 1_000 <= options.now().getTime() + clockOffsetMs)
    return { refused: "expired" };
  const sequence = Number(manifest.sequence);
  if (known !== undefined && sequence < known) return { refused: "rolled-back" };
  updateState(options.store, { updateSequences: { ...updateSequences, [stage]: sequence } });
  return isNewer(version, options.addInVersion) ? { version, url, sha256 } : null;
}

/** Fetches the release keys once. Later ones come with the add-in's own updates. */
async function fetchReleaseKeys(options: ClientOptions): Promise<readonly PublishedKey[]> {
  const answer = await send(options, "GET", "/v1/software/release-keys");
  const releaseKeys = (answer.status === 200 && readKeys(answer.json)) || [];
  updateState(options.store, { releaseKeys });
  return releaseKeys;
}

function isNewer(version: string, installed: string): boolean {
  // Suffixes such as `-beta.1` don't count.
  const [one, other] = [version, installed].map((text) =>
    text
      .replace(/-.*/, "")
      .split(".")
      .map((part) => Number.parseInt(part, 10) || 0),
  );
  for (let index = 0; index < 4; index++) {
    const difference = (one?.[index] ?? 0) - (other?.[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}

function isUpdate(json: unknown): json is Update & { readonly proof: string } {
  return (
    isRecord(json) &&
    typeof json.version === "string" &&
    typeof json.url === "string" &&
    /^https?:/.test(json.url) &&
    typeof json.sha256 === "string" &&
    /^[0-9a-f]{64}$/.test(json.sha256) &&
    typeof json.proof === "string"
  );
}
