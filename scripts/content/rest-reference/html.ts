/** HTML that is whole: nothing in it is escaped again. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What may stand in a template: texts are escaped, nothing and false are left out. */
export type Part = Html | string | number | null | undefined | false | readonly Part[];

/** A template whose values are escaped: `` html`<b>${name}</b>` ``. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.map((text, index) => text.replace(/\n\s*/g, "") + textOf(parts[index])).join(""));
}

function textOf(part: Part): string {
  if (part === null || part === undefined || part === false) return "";
  if (part instanceof Html) return part.text;
  if (typeof part === "string" || typeof part === "number") return escapeHtml(String(part));
  return part.map(textOf).join("");
}

/** Text within an element or an attribute in double quotes. */
export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/** A sentence in which `` `words` `` are code. */
export function inline(text: string): Html {
  return new Html(escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>"));
}
