/** Turns the sentences of a tutorial into captions, so that the page and the film have the same text. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { brand } from "../../schema/brand.ts";
import { root } from "../../scripts/runtime.mjs";

/**
 * A sentence with its start and end in seconds. `step` is 0 before the numbered steps and null after them.
 * @typedef {{ text: string, step: number | null, start: number, end: number }} Cue
 */

/**
 * Builds the captions of a tutorial. Each sentence is shown for as long as it takes to read.
 * @param {number} tutorial number of the tutorial in web/site/content/tutorials
 * @param {number} seconds end of the last sentence
 * @returns {Promise<Cue[]>}
 */
export async function buildCues(tutorial, seconds) {
  const source = await readFile(join(root, "web", "site", "content", "tutorials", `${tutorial}.md`), "utf8");
  const body = source.replace(/^---\n[\s\S]*?\n---\n/, "");
  const parts = body.trim().split(/\n\s*\n|\n(?=\d+\. )/);
  let isPastSteps = false;
  const sentences = parts.flatMap((part) => {
    const [, number, text] = /^(?:(\d+)\. )?([\s\S]*)$/.exec(part);
    const step = number ? Number(number) : isPastSteps ? null : 0;
    isPastSteps ||= Boolean(number);
    return splitSentences(toPlainText(text)).map((sentence) => ({ text: sentence, step }));
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

/** Formats the cues as WebVTT. */
export function formatVtt(cues) {
  const blocks = cues.map(({ text, start, end }, index) => `${index + 1}\n${stamp(start)} --> ${stamp(end)}\n${text}`);
  return `WEBVTT\n\n${blocks.join("\n\n")}\n`;
}

/** Removes Markdown syntax and replaces brand tokens. */
function toPlainText(text) {
  return text
    .replaceAll(/\{\{brand\.([\w.]+)\}\}/g, (_, path) => path.split(".").reduce((value, key) => value[key], brand))
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1")
    .replaceAll(/[*`]/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/**
 * Splits text at full stops and semicolons. A question stays with its answer, and a single word stays with the sentence
 * before it.
 */
function splitSentences(text) {
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
