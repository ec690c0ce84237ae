import { type Html, html, inline } from "./html.ts";
import type { Field } from "./schema-fields.ts";
import type { ParameterField } from "./read-reference.ts";

/** Where a shape that is listed once stands: its name → its id. */
export type ShapeIds = ReadonlyMap<string, string>;

/** A type, the shape that it names being a link to it. */
export function typeHtml({ text, object }: Field["type"], ids: ShapeIds): Html {
  const id = object === undefined ? undefined : ids.get(object);
  if (object === undefined || id === undefined) return html`${text}`;
  const at = text.indexOf(object);
  return html`${text.slice(0, at)}<a href="#${id}">${object}</a>${text.slice(at + object.length)}`;
}

/** The fields of a body, an answer or a shape. `label` names the table; `isAsked` marks what must be sent. */
export function fieldTable(
  fields: readonly (Field | ParameterField)[],
  ids: ShapeIds,
  { label, isAsked }: { label: string; isAsked: boolean },
): Html {
  return html`<table class="fields">
    <caption>${label}</caption>
    <thead><tr><th scope="col">Field</th><th scope="col">What it is</th></tr></thead>
    <tbody>${fields.map((field) => rowOf(field, ids, isAsked))}</tbody>
  </table>`;
}

function rowOf(field: Field | ParameterField, ids: ShapeIds, isAsked: boolean): Html {
  if (field.variant !== undefined)
    return html`<tr><th colspan="2" scope="rowgroup" class="variant">${field.variant}</th></tr>`;
  const at = field.name.lastIndexOf(".") + 1;
  const place = "place" in field && field.place === "query" ? html` <i>in the query</i>` : null;
  return html`<tr>
    <th scope="row" data-depth="${field.depth}">
      <code>${at > 0 && html`<span>${breakable(field.name.slice(0, at))}</span><wbr />`}${breakable(field.name.slice(at))}</code>
      ${isAsked && field.required && html`<b class="required">required</b>`}
      ${!isAsked && !field.required && html`<i>may be absent</i>`}
      ${field.deprecated && html`<b class="deprecated">deprecated</b>`}
    </th>
    <td>
      ${typeHtml(field.type, ids)}${place}${rulesHtml(field.rules)}
      ${field.text && html`<p>${inline(field.text)}</p>`}
      ${"example" in field && field.example !== undefined && html`<p>Such as <code>${typeof field.example === "string" ? field.example : JSON.stringify(field.example)}</code></p>`}
    </td>
  </tr>`;
}

/** Bounds, as they go on after a type. Text alone: a page of them has thousands. */
export const rulesHtml = (rules: readonly string[]): Html[] => rules.map((rule) => html` · ${ruleHtml(rule)}`);

/** Values and patterns are code, the words around them are not. */
function ruleHtml(rule: string): Html {
  const [, words, code] = /^((?:each )?(?:one of|matches|default) )(.*)$/s.exec(rule) ?? [];
  if (words === undefined || code === undefined) return html`${rule}`;
  if (!words.endsWith("one of ")) return html`${words}<code>${code}</code>`;
  const values = code.split(/, (?=["\d-])/);
  return html`${words}${values.map((value, index) => html`${index > 0 && ", "}<code>${value.replace(/^"|"$/g, "")}</code>`)}`;
}

/** So long a name fits beside what it is. */
const FITS = 13;

/** Long names may go on in the next line where a word of theirs begins. */
function breakable(name: string): Html[] {
  if (name.length <= FITS) return [html`${name}`];
  return name
    .split(/(?<=[a-z0-9.])(?=[A-Z])|(?<=\.)(?=.)/)
    .map((word, index) => (index > 0 ? html`<wbr />${word}` : html`${word}`));
}
