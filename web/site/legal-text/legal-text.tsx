import { PageText } from "#web/ui/page-text.tsx";
import { ClauseContents, type Clause } from "./clause-contents.tsx";
import classes from "./legal-text.module.css";

export interface LegalTextProps {
  /** Names the text; the name of its file. */
  id: string;
  clauses: readonly Clause[];
  updatedLabel: string;
  /** What the text comes to, in a box before it. */
  summary?: readonly string[];
  /** Fetches the HTML of the text. */
  load: () => Promise<string>;
}

/** A text in numbered clauses, to read, to refer to and to print: its contents beside it, its numbers beside each clause. */
export function LegalText({ id, clauses, updatedLabel, summary, load }: LegalTextProps) {
  const textId = `${id}-text`;
  return (
    <div className={classes.layout}>
      <ClauseContents id={id} clauses={clauses} />
      <div className={classes.column}>
        <p className={classes.updated}>{updatedLabel}</p>
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
    </div>
  );
}
