import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Screen, screens } from "#web/site/screens/screens.ts";

const folder = join(import.meta.dirname, "../../../web/public/media/screens");
const filesOf = (name: string, { isPaper }: Screen) =>
  isPaper ? [`${name}.webp`] : [`${name}-light.webp`, `${name}-dark.webp`];

test.each(Object.entries<Screen>(screens))("%s is there in two pixels for one, below 60 kB", (name, of) => {
  for (const file of filesOf(name, of)) {
    const bytes = readFileSync(join(folder, file));
    expect(bytes.length).toBeLessThanOrEqual(60_000);
    // The header of a WebP frame: two sizes of 14 bits each.
    expect(bytes.toString("latin1", 12, 16)).toBe("VP8 ");
    const size = { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    expect(size).toEqual({ width: of.width * 2, height: of.height * 2 });
  }
});
