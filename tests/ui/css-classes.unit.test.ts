import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

/** Returns the classes of CSS modules that a component names. */
function listNamed(file: string): { sheet: string; name: string }[] {
  const text = readFileSync(file, "utf8");
  return Array.from(text.matchAll(/^import (\w+) from "(\S+\.module\.css)";$/gm)).flatMap(
    ([, local = "", from = ""]) => {
      const sheet = from.startsWith("#") ? from.slice(1) : join(dirname(file), from);
      const names = text.replace(/^import .*$/gm, "").matchAll(new RegExp(`(?<![.\\w])${local}\\.(\\w+)`, "g"));
      return Array.from(names, ([, name = ""]) => ({ sheet, name }));
    },
  );
}

test("every class that a component names is in its style sheet", () => {
  const components = globSync("web/**/*.tsx");
  expect(components.length).toBeGreaterThan(300);
  const missing = components.flatMap((file) =>
    listNamed(file)
      .filter(({ sheet, name }) => !new RegExp(`\\.${name}(?![\\w-])`).test(readFileSync(sheet, "utf8")))
      .map(({ name, sheet }) => `${file}: ${name} isn't in ${sheet}`),
  );
  expect(missing).toEqual([]);
});
