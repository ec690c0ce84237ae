import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";

/** Creates a folder and those above it. Node's own `recursive` never ends where nobody can create one, as in `/proc`. */
export function makeFolder(path: string, mode = 0o777): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path), mode);
  try {
    mkdirSync(path, mode);
  } catch (error) {
    // Another process was faster.
    if (!existsSync(path)) throw error;
  }
}
