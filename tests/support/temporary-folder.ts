import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { whenDone } from "./when-done.ts";

/** Creates a folder that is removed after the test or its file. */
export function createTemporaryFolder(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  whenDone(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
