/** Finished HTML that is not escaped again. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Value in a template. Strings are escaped; null, undefined and false are omitted. */
export type Part = Html | string | number | null | undefined | false | readonly Part[];

/** Builds HTML from a template and escapes its values: `` html`<b>${name}</b>` ``. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.map((text, index) => text.replace(/\n\s*/g, "") + toHtmlText(parts[index])).join(""));
}

function toHtmlText(part: Part): string {
  if (part === null || part === undefined || part === false) return "";
  if (part instanceof Html) return part.text;
  if (typeof part === "string" || typeof part === "number") return escapeHtml(String(part));
  return part.map(toHtmlText).join("");
}

/** Escapes text for an element or a double-quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/** Renders the index of a reference: a search field, a button that opens the list on small screens, and the list. */
export function renderIndexFrame(placeholder: string, label: Part, list: Part): Html {
  return html`<nav class="index" aria-label="Contents">
    <div class="index-head">
      <div class="find" role="search">
        <label for="reference-search">Search</label>
        <input id="reference-search" type="search" placeholder="${placeholder}" autocomplete="off" spellcheck="false" enterkeyhint="search" />
      </div>
      <button type="button" class="index-toggle" aria-expanded="false" aria-controls="reference-index">${label}</button>
    </div>
    <p class="found" role="status"></p>
    <div class="index-list" id="reference-index">${list}</div>
  </nav>`;
}

/** Renders a sentence with `` `words` `` in backticks as code. */
export function renderInline(text: string): Html {
  return new Html(escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>"));
}
