import { isRecord } from "./answer.ts";
import type { ClientOptions, NoAnswer } from "./requests.ts";
import { send } from "./http.ts";

/** A newer add-in. */
export interface Update {
  readonly version: string;
  readonly url: string;
  /** Checksum of the file at `url`, in hex. Compare it before running the file. */
  readonly sha256: string;
}

/** Returns a newer add-in in a stage (Production by default), or null if there is none. */
export async function checkUpdate(options: ClientOptions, stage?: number): Promise<Update | NoAnswer | null> {
  const query = new URLSearchParams({ version: options.addInVersion, ...(stage ? { stage: String(stage) } : {}) });
  const answer = await send(options, "GET", `/v1/software/update?${query}`);
  if (answer.status === undefined) return answer;
  if (answer.status === 204) return null;
  if (answer.status === 400) return { unanswered: "rejected" };
  return answer.status === 200 && isUpdate(answer.json) ? answer.json : { unanswered: "garbage" };
}

function isUpdate(json: unknown): json is Update {
  return (
    isRecord(json) &&
    typeof json.version === "string" &&
    typeof json.url === "string" &&
    /^https?:/.test(json.url) &&
    typeof json.sha256 === "string" &&
    /^[0-9a-f]{64}$/.test(json.sha256)
  );
}
