import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import process from "node:process";
import { promisify } from "node:util";

const script = "scripts/build.mjs";

/** Builds the schema explorer if its build is missing or outdated. Null outside a checkout, where it is already built. */
export const buildExplorer = existsSync(script)
  ? async (): Promise<void> => void (await promisify(execFile)(process.execPath, [script, "schema explorer"]))
  : null;
