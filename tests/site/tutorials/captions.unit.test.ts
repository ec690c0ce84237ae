import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { brand } from "#schema/brand.ts";

interface Cue {
  text: string;
  step: number | null;
  start: number;
  end: number;
}

const repository = join(import.meta.dirname, "../../..");
const { buildCues, formatVtt } = (await import(join(repository, "tools/pictures/captions.mjs"))) as {
  buildCues: (tutorial: number, seconds: number) => Promise<Cue[]>;
  formatVtt: (cues: Cue[]) => string;
};
const media = (name: string) => join(repository, "web/public/media", name);

test("captions match the sentences of the tutorial, without gaps and long enough to read", async () => {
  const cues = await buildCues(1, 44.4);
  const written = readFileSync(media("install-the-add-in.vtt"), "utf8");
  // After changing a sentence, recreate the video: npm run pictures -- film
  expect(written).toBe(formatVtt(cues));
  expect(written).toContain(`There is a new tab: ${brand.productName}.`);
  expect(written).not.toMatch(/[{}*`[\]]/);
  for (const [index, { text, start, end }] of cues.entries()) {
    expect(start).toBe(cues[index - 1]?.end ?? 0);
    expect(text.length / (end - start)).toBeLessThan(23);
  }
  expect(new Set(cues.map(({ step }) => step))).toEqual(new Set([0, 1, 2, 3, 4, 5, 6, null]));
  expect(cues.at(-1)?.end).toBeCloseTo(44.4);
});

test("video is below 900 kB and can start before it is fully loaded", () => {
  const file = media("install-the-add-in.mp4");
  expect(statSync(file).size).toBeLessThanOrEqual(900_000);
  const bytes = readFileSync(file).toString("latin1");
  expect(bytes.indexOf("moov")).toBeGreaterThan(0);
  expect(bytes.indexOf("moov")).toBeLessThan(bytes.indexOf("mdat"));
  expect(bytes).toContain("avc1");
  expect(bytes).not.toContain("mp4a");
});
