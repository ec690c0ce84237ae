import classes from "./contents-list.module.css";

/** Returns the second-level headings of a text, with the ids that the build created. */
export function parseHeadings(html: string): readonly { id: string; text: string }[] {
  return [...html.matchAll(/<h2 id="([^"]+)">(.*?)<\/h2>/g)].map(([, id = "", inner = ""]) => ({
    id,
    text: inner.replace(/<[^>]+>/g, "").replaceAll("&amp;", "&"),
  }));
}

/** A table of contents of a long page. */
export function ContentsList({ html }: { html: string }) {
  return (
    <nav data-screen-only aria-labelledby="contents">
      <h2 id="contents" className={classes.title}>
        On this page
      </h2>
      <ol className={classes.list}>
        {parseHeadings(html).map(({ id, text }) => (
          <li key={id}>
            <a href={`#${id}`}>{text}</a>
          </li>
        ))}
      </ol>
    </nav>
  );
}
