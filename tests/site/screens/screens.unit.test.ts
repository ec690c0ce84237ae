import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Screen, screens } from "#web/site/screens/screens.ts";

const folder = join(import.meta.dirname, "../../../web/public/media/screens");
const getFiles = (name: string) => [`${name}-light.webp`, `${name}-dark.webp`];

test.each(Object.entries<Screen>(screens))("%s has files with double resolution below 60 kB", (name, screen) => {
  for (const file of getFiles(name)) {
    const bytes = readFileSync(join(folder, file));
    expect(bytes.length).toBeLessThanOrEqual(60_000);
    // A WebP frame header contains width and height as 14-bit numbers.
    expect(bytes.toString("latin1", 12, 16)).toBe("VP8 ");
    const size = { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    expect(size).toEqual({ width: screen.width * 2, height: screen.height * 2 });
  }
});
