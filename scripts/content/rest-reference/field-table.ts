import { type Html, html, renderInline } from "./html.ts";
import type { Field } from "./schema-fields.ts";
import type { ParameterField } from "./read-reference.ts";

/** Anchors of the shared objects by name. */
export type ShapeIds = ReadonlyMap<string, string>;

/** Renders a type. The name of a shared object links to it. */
export function renderType({ text, object }: Field["type"], ids: ShapeIds): Html {
  const id = object === undefined ? undefined : ids.get(object);
  if (object === undefined || id === undefined) return html`${text}`;
  const at = text.indexOf(object);
  return html`${text.slice(0, at)}<a href="#${id}">${object}</a>${text.slice(at + object.length)}`;
}

/** Renders the fields of a body, response or object. `label` is the caption; `isRequest` marks required fields. */
export function renderFieldTable(
  fields: readonly (Field | ParameterField)[],
  ids: ShapeIds,
  { label, isRequest }: { label: string; isRequest: boolean },
): Html {
  return html`<table class="fields">
    <caption>${label}</caption>
    <thead><tr><th scope="col">Field</th><th scope="col">Description</th></tr></thead>
    <tbody>${fields.map((field) => renderRow(field, ids, isRequest))}</tbody>
  </table>`;
}

function renderRow(field: Field | ParameterField, ids: ShapeIds, isRequest: boolean): Html {
  if (field.variant !== undefined)
    return html`<tr><th colspan="2" scope="rowgroup" class="variant">${field.variant}</th></tr>`;
  const at = field.name.lastIndexOf(".") + 1;
  const place = "place" in field && field.place === "query" ? html` <i>in the query</i>` : null;
  return html`<tr>
    <th scope="row" data-depth="${field.depth}">
      <code>${at > 0 && html`<span>${allowBreaks(field.name.slice(0, at))}</span><wbr />`}${allowBreaks(field.name.slice(at))}</code>
      ${isRequest && field.required && html`<b class="required">required</b>`}
      ${!isRequest && !field.required && html`<i>may be absent</i>`}
      ${field.deprecated && html`<b class="deprecated">deprecated</b>`}
    </th>
    <td>
      ${renderType(field.type, ids)}${place}${renderRules(field.rules)}
      ${field.text && html`<p>${renderInline(field.text)}</p>`}
      ${"example" in field && field.example !== undefined && html`<p>Example: <code>${typeof field.example === "string" ? field.example : JSON.stringify(field.example)}</code></p>`}
    </td>
  </tr>`;
}

/** Renders constraints after a type. They have no extra markup, because the page contains thousands of them. */
export const renderRules = (rules: readonly string[]): Html[] => rules.map((rule) => html` · ${renderRule(rule)}`);

/** Renders a constraint with its values and patterns as code. */
function renderRule(rule: string): Html {
  const [, words, code] = /^((?:each )?(?:one of|matches|default) )(.*)$/s.exec(rule) ?? [];
  if (words === undefined || code === undefined) return html`${rule}`;
  if (!words.endsWith("one of ")) return html`${words}<code>${code}</code>`;
  const values = code.split(/, (?=["\d-])/);
  return html`${words}${values.map((value, index) => html`${index > 0 && ", "}<code>${value.replace(/^"|"$/g, "")}</code>`)}`;
}

/** Length of the longest name that fits into its column, in characters. */
const FITS = 13;

/** Allows long names to wrap before each word. */
function allowBreaks(name: string): Html[] {
  if (name.length <= FITS) return [html`${name}`];
  return name
    .split(/(?<=[a-z0-9.])(?=[A-Z])|(?<=\.)(?=.)/)
    .map((word, index) => (index > 0 ? html`<wbr />${word}` : html`${word}`));
}
