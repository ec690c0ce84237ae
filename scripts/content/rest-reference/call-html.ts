import { STATUS_CODES } from "node:http";
import { type Samples, buildSamples } from "./code-samples.ts";
import { renderFieldTable, renderRules, type ShapeIds, renderType } from "./field-table.ts";
import { type Html, html, renderInline } from "./html.ts";
import type { ApiResponse, Call, Content } from "./read-reference.ts";
import type { Field } from "./schema-fields.ts";

const languages: readonly { readonly id: keyof Samples; readonly label: string }[] = [
  { id: "curl", label: "curl" },
  { id: "javascript", label: "JavaScript" },
  { id: "csharp", label: "C#" },
];

/** Renders a call: description and fields on one side, code samples and responses on the other. */
export function renderCall(call: Call, ids: ShapeIds): Html {
  const { id, method, path, title, text, parameters, bodies, responses, errors } = call;
  return html`<section class="call" data-undrawn id="${id}" style="${estimateHeight(call)}" data-method="${method}" data-path="${path}" data-access="${call.access}"${call.changes && html` data-changes=""`}${buildDataAttributes(call)}>
    <div class="call-words">
      <h3><a href="#${id}">${title}</a>${call.deprecated && html` <b class="deprecated">deprecated</b>`}</h3>
      <p class="line">${renderMethod(method)} <code>${renderPath(path)}</code></p>
      ${text && html`<p>${renderInline(text)}</p>`}
      <p class="who">${renderAudience(call)}</p>
      ${parameters.length > 0 && renderFieldTable(parameters, ids, { label: "Parameters", isRequest: true })}
      ${bodies.map((body) => renderBody(body, ids))}
      <h4>Responses</h4>
      ${responses.map((answer) => renderResponse(answer, ids))}
      ${renderErrors(errors)}
    </div>
    <div class="call-code">
      ${renderSamples(call)}
      ${responses.map(renderExample)}
      <details class="try"><summary>Try it</summary><div class="try-place"></div></details>
    </div>
  </section>`;
}

/** Returns data attributes for the panel that sends the call. */
function buildDataAttributes({ parameters, scope, bodies }: Call): Html {
  const query = parameters
    .filter(({ place }) => place === "query")
    .map(({ name, required }) => (required ? `${name}!` : name));
  return html`${query.length > 0 && html` data-query="${query.join(" ")}"`}${bodies[0] && html` data-type="${bodies[0].type}"`}
    ${scope && html` data-scope="${scope}"`}`;
}

/** Renders the badge of an HTTP method. */
export const renderMethod = (method: string): Html => html`<span class="method" data-of="${method}">${method}</span>`;

/** Renders a path that can wrap after each slash, with its parameters highlighted. */
function renderPath(path: string): Html[] {
  return path
    .split(/(?<=.\/)|(\{\w+\})/)
    .filter(Boolean)
    .map((part, index) => html`${index > 0 && html`<wbr />`}${part.startsWith("{") ? html`<var>${part}</var>` : part}`);
}

function renderAudience({ who, scope }: Call): Html {
  const needs =
    scope === "session"
      ? html` Personal access tokens are not accepted; sign in.`
      : scope && scope !== "open" && html` With a personal access token: scope <code>${scope}</code>.`;
  return html`<b>Who</b> <span>${who || "Everyone."}${needs}</span>`;
}

function renderBody(body: Content, ids: ShapeIds): Html {
  const label = `Body, ${body.type}`;
  if (body.fields.length > 0) return renderFieldTable(body.fields, ids, { label, isRequest: true });
  return html`<h4>${label}</h4><p class="plain"><span class="type">${renderType(body.words, ids)}</span></p>`;
}

function renderResponse({ status, text, content, headers }: ApiResponse, ids: ShapeIds): Html {
  const sentences = [
    text === "Done." ? "" : text,
    ...headers.map((one) => `Header \`${one.name}\`: ${one.text}`),
  ].filter(Boolean);
  return html`<p class="answer"><b class="status">${status}</b>
      ${content ? html`<span class="type">${content.words.text === "file" ? content.type : renderType(content.words, ids)}</span>` : html`<span class="type">no body</span>`}
      ${content && renderRules(content.rules)}
      ${sentences.length > 0 && html` <span>${renderInline(sentences.join(" "))}</span>`}
    </p>
    ${
      content &&
      content.fields.length > 0 &&
      html`<details><summary>${content.fields.length} fields</summary>
      ${renderFieldTable(content.fields, ids, { label: `Fields of the response ${status}`, isRequest: false })}</details>`
    }`;
}

/** Renders the errors by status. The status `default` means errors that any call may return. */
function renderErrors(errors: readonly ApiResponse[]): Html | null {
  if (errors.length === 0) return null;
  const names = errors.map(({ status }) => (status === "default" ? "others" : status));
  return html`<details class="errors"><summary>Errors: ${names.join(", ")}</summary>
    <table class="fields"><caption>Errors</caption>
    <thead><tr><th scope="col">Status</th><th scope="col">Meaning and body</th></tr></thead>
    <tbody>${errors.map(
      ({ status, text, content, headers }) => html`<tr>
        <th scope="row"><code>${status === "default" ? "other" : status}</code><i>${STATUS_CODES[status] ?? ""}</i></th>
        <td><p>${renderInline(text)}${headers.length > 0 && html` Header <code>${headers.map(({ name }) => name).join(", ")}</code>.`}</p>
        ${content?.example !== undefined && html`<code class="body">${JSON.stringify(content.example)}</code>`}</td>
      </tr>`,
    )}</tbody></table></details>`;
}

/**
 * Renders the call in each language. Tabs show one language at a time; without JavaScript, all samples are shown one
 * below the other.
 */
function renderSamples(call: Call): Html {
  const samples = buildSamples(call);
  return html`<div class="code samples" data-night>
    <div class="code-bar">
      <div class="tabs" role="tablist" aria-label="Language of the example">
        ${languages.map(
          ({ id, label }, index) =>
            html`<button type="button" role="tab" data-language="${id}" aria-selected="${index === 0 ? "true" : "false"}" tabindex="${index === 0 ? "0" : "-1"}">${label}</button>`,
        )}
      </div>
      ${renderCopyButton(`Copy the example of ${call.title}`)}
    </div>
    ${languages.map(
      ({ id, label }) =>
        html`<pre role="tabpanel" tabindex="0" aria-label="${label}" data-language="${id}">${samples[id]}</pre>`,
    )}
  </div>`;
}

function renderExample({ status, content }: ApiResponse): Html | null {
  if (content?.example === undefined) return null;
  const text = JSON.stringify(content.example, null, 2);
  return html`<div class="code" data-night><div class="code-bar"><span>Response ${status}</span>${renderCopyButton(`Copy the response ${status}`)}</div>
    <pre tabindex="0" role="group" aria-label="Example of the response ${status}" data-language="json">${text}</pre></div>`;
}

function renderCopyButton(label: string): Html {
  return html`<button type="button" class="copy" aria-label="${label}">Copy</button>`;
}

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
function estimateHeight(call: Call): string {
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
