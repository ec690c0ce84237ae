import { Marked, type Tokens } from "marked";

const marked = new Marked({
  gfm: true,
  renderer: {
    /**
     * Adds an anchor to each heading (`#7-fees` for `## 7. Fees`). Headings start at `h2`, because the page itself has
     * the `h1`.
     */
    heading({ tokens, depth, text }) {
      const level = Math.max(2, depth);
      return `<h${level} id="${toAnchor(text)}">${this.parser.parseInline(tokens)}</h${level}>\n`;
    },
    /** Marks a list whose items begin with `(a)`, so that it has no bullets. */
    list(list) {
      const items = list.items.map((item) => this.listitem(item)).join("");
      if (list.ordered) return `<ol${list.start === 1 ? "" : ` start="${list.start}"`}>\n${items}</ol>\n`;
      const isLettered = list.items.every((item) => /^\([a-z]+\) /.test(item.text));
      return `<ul${isLettered ? ' class="lettered"' : ""}>\n${items}</ul>\n`;
    },
    /** Wraps tables in a focusable box, so that wide tables can scroll. */
    table(token) {
      const cells = (row: Tokens.TableCell[]) => row.map((cell) => this.tablecell(cell)).join("");
      const rows = token.rows.map((row) => this.tablerow({ text: cells(row) })).join("");
      const head = this.tablerow({ text: cells(token.header) });
      return `<div class="table" tabindex="0" role="group" aria-label="Table"><table><thead>${head}</thead><tbody>${rows}</tbody></table></div>\n`;
    },
    /** Escapes HTML, which the content may not use. */
    html({ text }) {
      return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
    },
  },
});

/** Renders Markdown to HTML. HTML in the source is escaped. */
export function renderMarkdown(text: string): string {
  return (marked.parse(text, { async: false }) as string).trim();
}

/** Returns the anchor of a heading: `7-fees` for `7. Fees`. */
export function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
}
