/** The sentences of a tutorial as captions: who reads them on the page and in the film reads the same. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { brand } from "../../schema/brand.ts";
import { root } from "../../scripts/runtime.mjs";

/**
 * One sentence and when it stands, in seconds. `step` is 0 before the numbered steps, null after them.
 * @typedef {{ text: string, step: number | null, start: number, end: number }} Cue
 */

/**
 * @param {number} tutorial its number in web/content/tutorials
 * @param {number} seconds when the last sentence goes; each stands as long as its words take to read
 * @returns {Promise<Cue[]>}
 */
export async function cuesOf(tutorial, seconds) {
  const source = await readFile(join(root, "web", "content", "tutorials", `${tutorial}.md`), "utf8");
  const body = source.replace(/^---\n[\s\S]*?\n---\n/, "");
  const parts = body.trim().split(/\n\s*\n|\n(?=\d+\. )/);
  let isPastSteps = false;
  const sentences = parts.flatMap((part) => {
    const [, number, text] = /^(?:(\d+)\. )?([\s\S]*)$/.exec(part);
    const step = number ? Number(number) : isPastSteps ? null : 0;
    isPastSteps ||= Boolean(number);
    return sentencesOf(plain(text)).map((sentence) => ({ text: sentence, step }));
  });
  const weights = sentences.map(({ text }) => Math.max(2.2, 0.5 + 0.065 * text.length));
  const perWeight = seconds / weights.reduce((sum, weight) => sum + weight, 0);
  let at = 0;
  return sentences.map((sentence, index) => {
    const start = at;
    at += weights[index] * perWeight;
    return { ...sentence, start, end: at };
  });
}

/** The cues as WebVTT. */
export function writtenAsVtt(cues) {
  const blocks = cues.map(({ text, start, end }, index) => `${index + 1}\n${stamp(start)} --> ${stamp(end)}\n${text}`);
  return `WEBVTT\n\n${blocks.join("\n\n")}\n`;
}

/** Markdown without its marks, tokens of the brand replaced. */
function plain(text) {
  return text
    .replaceAll(/\{\{brand\.([\w.]+)\}\}/g, (_, path) => path.split(".").reduce((value, key) => value[key], brand))
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1")
    .replaceAll(/[*`]/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** Cut at full stops and semicolons; a question goes with its answer, a single word with what it follows. */
function sentencesOf(text) {
  const sentences = [];
  for (const sentence of text.split(/(?<=[.;])\s+/))
    if (sentences.length > 0 && words(sentence) === 1) sentences[sentences.length - 1] += ` ${sentence}`;
    else sentences.push(sentence);
  return sentences;
}

const words = (text) => text.split(" ").length;

function stamp(seconds) {
  const ms = Math.round(seconds * 1_000);
  const two = (value) => String(value).padStart(2, "0");
  return `${two(Math.floor(ms / 60_000))}:${two(Math.floor(ms / 1_000) % 60)}.${String(ms % 1_000).padStart(3, "0")}`;
}
