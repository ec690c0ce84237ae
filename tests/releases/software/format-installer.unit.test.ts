import { expect, test } from "vitest";
import { formatInstaller } from "#web/releases/software/format-installer.ts";

test.each([
  [1, "7.2.0, 1 kB"],
  [4_096, "7.2.0, 4 kB"],
  [999_499, "7.2.0, 999 kB"],
  [999_500, "7.2.0, 1 MB"],
  [18_432_000, "7.2.0, 18.4 MB"],
])("formats an installer of %i bytes as %s", (sizeBytes, words) => {
  expect(formatInstaller({ version: "7.2.0", sizeBytes })).toBe(words);
});
