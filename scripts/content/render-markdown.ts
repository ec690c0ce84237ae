import { Marked, type Tokens } from "marked";

const marked = new Marked({
  gfm: true,
  renderer: {
    /** Headings can be linked to: `## 7. Fees` is `#7-fees`. Those of a text stand below the page's `h1`. */
    heading({ tokens, depth, text }) {
      const level = Math.max(2, depth);
      return `<h${level} id="${idOf(text)}">${this.parser.parseInline(tokens)}</h${level}>\n`;
    },
    /** A list whose items begin `(a)` carries its own letters and goes without bullets. */
    list(list) {
      const items = list.items.map((item) => this.listitem(item)).join("");
      if (list.ordered) return `<ol${list.start === 1 ? "" : ` start="${list.start}"`}>\n${items}</ol>\n`;
      const isLettered = list.items.every((item) => /^\([a-z]+\) /.test(item.text));
      return `<ul${isLettered ? ' class="lettered"' : ""}>\n${items}</ul>\n`;
    },
    /** Wide tables scroll in their own box, which the keyboard can reach. */
    table(token) {
      const cells = (row: Tokens.TableCell[]) => row.map((cell) => this.tablecell(cell)).join("");
      const rows = token.rows.map((row) => this.tablerow({ text: cells(row) })).join("");
      const head = this.tablerow({ text: cells(token.header) });
      return `<div class="table" tabindex="0" role="group" aria-label="Table"><table><thead>${head}</thead><tbody>${rows}</tbody></table></div>\n`;
    },
    /** The content is ours, and yet no HTML in it: what looks like a tag is text. */
    html({ text }) {
      return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
    },
  },
});

/** HTML of a Markdown text without any HTML in it. */
export function renderMarkdown(text: string): string {
  return (marked.parse(text, { async: false }) as string).trim();
}

function idOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
}
