/** Finds what changed since main, for `--changed` of `npm run check` and `npm test`. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "./runtime.mjs";

/** Returns the tracked and untracked files of the repository that exist. */
export const listFiles = () => git("ls-files", "--cached", "--others", "--exclude-standard").filter(exists);

/**
 * Returns the files that differ from the last commit that the current branch shares with main. On main itself, returns the
 * files that aren't committed.
 */
export function listChangedFiles() {
  const [base = "HEAD"] = git("merge-base", "HEAD", "main");
  const changed = [...git("diff", "--name-only", base), ...git("ls-files", "--others", "--exclude-standard")];
  return [...new Set(changed)].filter(exists);
}

function git(...args) {
  return execFileSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 26 })
    .split("\n")
    .filter(Boolean);
}

function exists(file) {
  return existsSync(join(root, file));
}
