import classes from "./contents-list.module.css";

/** The second-level headings of a body, with the ids that the build gave them. */
export function headingsOf(html: string): readonly { id: string; text: string }[] {
  return [...html.matchAll(/<h2 id="([^"]+)">(.*?)<\/h2>/g)].map(([, id = "", inner = ""]) => ({
    id,
    text: inner.replace(/<[^>]+>/g, "").replaceAll("&amp;", "&"),
  }));
}

/** The headings of a long page, to go to each of them. */
export function ContentsList({ html }: { html: string }) {
  return (
    <nav className={classes.contents} aria-labelledby="contents">
      <h2 id="contents">On this page</h2>
      <ol>
        {headingsOf(html).map(({ id, text }) => (
          <li key={id}>
            <a href={`#${id}`}>{text}</a>
          </li>
        ))}
      </ol>
    </nav>
  );
}
