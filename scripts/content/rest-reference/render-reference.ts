import { readFileSync } from "node:fs";
import { join } from "node:path";
import { renderCall, renderMethod } from "./call-html.ts";
import { renderFieldTable, type ShapeIds } from "./field-table.ts";
import { Html, html, renderIndexFrame, renderInline } from "./html.ts";
import type { OpenApi } from "./openapi-types.ts";
import { type Group, type Reference, readReference, type SharedShape } from "./read-reference.ts";

/** A chapter before the calls. `id` is its anchor. */
interface Chapter {
  readonly id: string;
  readonly title: string;
}

/** Opening tag of an example. It is focusable, so that keyboard users can scroll it. */
const SCROLLING = '<pre tabindex="0" role="group" aria-label="Example">';

/** Reads the reference of `/v1` from schema/openapi.json. */
export function loadReference(root: string): Reference {
  return readReference(JSON.parse(readFileSync(join(root, "schema/openapi.json"), "utf8")) as OpenApi);
}

/** Renders the content of the page at /v1/docs below its header: index, chapters, calls and shared objects. */
export function renderReference(reference: Reference, chaptersHtml: string): string {
  const { groups, shapes } = reference;
  const ids: ShapeIds = new Map(shapes.map(({ name, id }) => [name, id]));
  const chapters = [...chaptersHtml.matchAll(/<h2 id="([^"]+)">(.*?)<\/h2>/g)].map(([, id = "", title = ""]) => ({
    id,
    title: title.replace(/<[^>]+>/g, ""),
  }));
  return html`${renderIndex(chapters, groups, shapes)}
    <div class="reference-body">
      ${renderChapters(chaptersHtml)}
      ${groups.map((group) => renderGroup(group, ids))}
      ${
        shapes.length > 0 &&
        html`<section class="group" id="objects" aria-labelledby="objects-title">
        <h2 id="objects-title">Objects</h2>
        <p>Objects that several calls return.</p>
        ${shapes.map((shape) => renderShape(shape, ids))}</section>`
      }
    </div>`.text;
}

/** Renders each chapter as a section without a landmark, so that the index can highlight the current one. */
function renderChapters(chapters: string): Html[] {
  return chapters
    .replaceAll("<pre>", SCROLLING)
    .split(/(?=<h2 )/)
    .map((text) => html`<section class="chapter">${new Html(text.trim())}</section>`);
}

function renderIndex(chapters: readonly Chapter[], groups: readonly Group[], shapes: readonly SharedShape[]): Html {
  const count = groups.reduce((sum, { calls }) => sum + calls.length, 0);
  const list = html`<p class="index-title">Basics</p>
      <ul>${chapters.map(({ id, title }) => html`<li><a href="#${id}">${new Html(title)}</a></li>`)}</ul>
      <p class="index-title">Calls</p>
      ${groups.map(
        ({ id, name, calls }) => html`<details data-group="${id}"><summary>${name}<span>${calls.length}</span></summary>
        <ul>${calls.map((call) => html`<li><a href="#${call.id}">${call.title} ${renderMethod(call.method)}</a></li>`)}</ul></details>`,
      )}
      ${
        shapes.length > 0 &&
        html`<details data-group="objects"><summary>Objects<span>${shapes.length}</span></summary>
        <ul>${shapes.map(({ id, name }) => html`<li><a href="#${id}">${name}</a></li>`)}</ul></details>`
      }`;
  return renderIndexFrame("activate, email, 409…", html`Contents <span>${count} calls</span>`, list);
}

function renderGroup({ id, name, text, calls }: Group, ids: ShapeIds): Html {
  return html`<section class="group" id="${id}" aria-labelledby="${id}-title">
    <h2 id="${id}-title">${name}</h2>
    ${text && html`<p>${renderInline(text)}</p>`}
    <ul class="overview">${calls.map(
      (call) => html`<li><a href="#${call.id}">${renderMethod(call.method)} <code>${call.path}</code></a></li>`,
    )}</ul>
    ${calls.map((call) => renderCall(call, ids))}
  </section>`;
}

function renderShape({ id, name, text, fields }: SharedShape, ids: ShapeIds): Html {
  return html`<section class="shape" id="${id}">
    <h3><a href="#${id}">${name}</a></h3>
    ${text && html`<p>${renderInline(text)}</p>`}
    ${renderFieldTable(fields, ids, { label: `Fields of ${name}`, isRequest: false })}
  </section>`;
}
