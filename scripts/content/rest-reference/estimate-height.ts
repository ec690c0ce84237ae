import { buildSamples } from "./code-samples.ts";
import type { Call } from "./read-reference.ts";
import type { Field } from "./schema-fields.ts";

/** Heights of the parts of a call in rem, matching reference-call.css. */
const HEAD = 10;
const TABLE = 3.25;
const ROW = 2.75;
const LINE_OF_TEXT = 1.4;
const LINE_OF_CODE = 1.3;
const MOST_CODE = 21;
const BAR = 4.5;
const AROUND = 7;

/**
 * Estimates the height of a call in the wide and narrow layouts and returns it as CSS custom properties. The browser
 * lays out only visible calls (`content-visibility`), and good estimates keep the scroll bar steady. An overestimate is
 * better than an underestimate, which lets a call overlap the next one.
 */
export function estimateHeight(call: Call): string {
  const { parameters, bodies, responses, errors } = call;
  const tables = [parameters, ...bodies.map(({ fields }) => fields)].filter((fields) => fields.length > 0);
  const words = (lettersInLine: number) =>
    HEAD +
    call.text.length / 25 +
    tables.reduce(
      (sum, fields) => sum + TABLE + fields.reduce((rows, field) => rows + estimateRow(field, lettersInLine), 0),
      0,
    ) +
    responses.length * 3.5 +
    (errors.length > 0 ? 2.5 : 0) +
    3;
  const { curl } = buildSamples(call);
  const code = [curl, ...responses.flatMap(({ content }) => (content?.example === undefined ? [] : [content.example]))]
    .map((text) => (typeof text === "string" && text === curl ? text : JSON.stringify(text, null, 2)))
    .reduce((sum, text) => sum + BAR + Math.min(MOST_CODE, text.split("\n").length * LINE_OF_CODE), 4);
  const wide = Math.ceil(Math.max(words(30), code) + AROUND);
  const narrow = Math.ceil(words(22) + code + AROUND);
  return `--wide:${wide}rem;--narrow:${narrow}rem`;
}

function estimateRow({ name, text, rules, type }: Field, lettersInLine: number): number {
  const description =
    Math.ceil([type.text, ...rules].join(" · ").length / lettersInLine) + Math.ceil(text.length / lettersInLine);
  return ROW + (Math.max(description, Math.ceil((name.length + 9) / 14)) - 1) * LINE_OF_TEXT;
}
