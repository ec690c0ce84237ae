import { PageText } from "#web/ui/page-text.tsx";
import { ClauseContents, type Clause } from "./clause-contents.tsx";
import layout from "#web/ui/layout.module.css";
import { Split } from "#web/ui/band.tsx";
import classes from "./legal-text.module.css";

export interface LegalTextProps {
  /** Filename of the text without extension. */
  id: string;
  clauses: readonly Clause[];
  updatedLabel: string;
  /** Summary, shown in a box above the text. */
  summary?: readonly string[];
  /** Loads the HTML of the text. */
  load: () => Promise<string>;
}

/** Legal text in numbered clauses, with a table of contents. */
export function LegalText({ id, clauses, updatedLabel, summary, load }: LegalTextProps) {
  const textId = `${id}-text`;
  return (
    <Split columns="16.5rem minmax(0, 1fr)">
      <ClauseContents id={id} clauses={clauses} />
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
        <PageText id={textId} load={load} className={classes.text} />
      </div>
    </Split>
  );
}
