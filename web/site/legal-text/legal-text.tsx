import { PageText } from "#web/ui/page-text.tsx";
import { ClauseContents, type Clause } from "./clause-contents.tsx";
import layout from "#web/ui/layout.module.css";
import { Split } from "#web/ui/band.tsx";
import classes from "./legal-text.module.css";

export interface LegalTextProps {
  /** Front matter of a file in `web/site/content/legals`, with its table of contents. */
  content: {
    /** Filename of the text without extension. */
    readonly id: string;
    readonly updatedLabel: string;
    readonly contents: readonly Clause[];
    /** Shown in a box above the text. */
    readonly summary?: readonly string[];
  };
  /** Loads the HTML of the text. */
  load: () => Promise<string>;
}

/** Legal text in numbered clauses, with a table of contents. */
export function LegalText({ content: { id, contents, updatedLabel, summary }, load }: LegalTextProps) {
  return (
    <Split columns="16.5rem minmax(0, 1fr)">
      <ClauseContents id={id} clauses={contents} />
      <div className={classes.column}>
        <p className={layout.note} style={{ marginBottom: "1.75rem", paddingInlineStart: "var(--hang)" }}>
          {updatedLabel}
        </p>
        {summary && (
          <section className={classes.summary} aria-labelledby={`${id}-summary`}>
            <h2 id={`${id}-summary`}>In short</h2>
            <ul>
              {summary.map((point) => (
                <li key={point}>{point}</li>
              ))}
            </ul>
          </section>
        )}
        <PageText id={`${id}-text`} load={load} className={classes.text} />
      </div>
    </Split>
  );
}
