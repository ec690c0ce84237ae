import { IconLink } from "@tabler/icons-react";
import { memo, type ReactNode } from "react";
import { AccordionItem } from "#web/ui/accordion.tsx";
import { Button } from "#web/ui/button.tsx";
import { PageText } from "#web/ui/page-text.tsx";
import type { Panels } from "#web/ui/use-panels.ts";
import classes from "./faq-sections.module.css";
import type { Hit, Question } from "./use-faq-search.ts";

export interface FaqSectionsProps {
  /** All that are listed, in their order. */
  questions: readonly Question[];
  /** Those that the search leaves in sight. */
  hits: readonly Hit[];
  panels: Panels;
  /** Fetches the HTML of an answer. */
  loadAnswer: (id: string) => Promise<string>;
  /** What to say when there are no hits, and words to try instead. */
  none: {
    readonly title: string;
    readonly text: string;
    readonly tryInstead: string;
    readonly words: readonly string[];
  };
  onSearch: (query: string) => void;
  /** Stands below the last question. */
  children: ReactNode;
}

/** The questions under the headings of their sections, with the sections to choose from beside them. */
export function FaqSections(props: FaqSectionsProps) {
  const { hits, panels, loadAnswer, none, onSearch, children } = props;
  const inSight = new Map(hits.map((hit) => [hit.id, hit]));
  // Best matches first; those out of sight stay in the page behind them.
  const questions = [...hits, ...props.questions.filter(({ id }) => !inSight.has(id))];
  const sections = [...new Set(questions.map(({ section }) => section))];
  const countIn = (section: string) => hits.filter((hit) => hit.section === section).length;
  const isAllOpen = hits.every(({ id }) => panels.isOpen(id));
  return (
    <div className={classes.layout}>
      <nav className={classes.sections} aria-label="Sections">
        <ul>
          {sections.map((section) => (
            <li key={section} hidden={countIn(section) === 0}>
              <a href={`#${addressOf(section)}`}>
                <span>{section}</span>
                <span className={classes.count}>{countIn(section)}</span>
              </a>
            </li>
          ))}
        </ul>
        {hits.length > 0 && (
          <Button
            variant="default"
            size="sm"
            className={classes.all}
            onClick={() => panels.setAll(isAllOpen ? [] : hits.map(({ id }) => id))}
          >
            {isAllOpen ? "Close All" : "Open All"}
          </Button>
        )}
      </nav>
      <div className={classes.questions}>
        {hits.length === 0 && (
          <div className={classes.none}>
            <h2>{none.title}</h2>
            <p>{none.text}</p>
            <p className={classes.tries}>
              {none.tryInstead}
              {none.words.map((word) => (
                <Button key={word} variant="default" size="sm" onClick={() => onSearch(word)}>
                  {word}
                </Button>
              ))}
            </p>
            <Button onClick={() => onSearch("")}>Show All Questions</Button>
          </div>
        )}
        {sections.map((section) => (
          <section key={section} aria-labelledby={addressOf(section)} hidden={countIn(section) === 0}>
            <h2 id={addressOf(section)}>{section}</h2>
            {questions.map((question) =>
              question.section === section ? (
                <div key={question.id} className={classes.question} hidden={!inSight.has(question.id)}>
                  <AccordionItem
                    id={question.id}
                    title={question.title}
                    aside={inSight.get(question.id)?.inAnswer ? "in the answer" : undefined}
                    panels={panels}
                  >
                    <Answer id={question.id} loadAnswer={loadAnswer} />
                    <a
                      className={classes.address}
                      href={`#${question.id}`}
                      aria-label={`Address of: ${question.title}`}
                    >
                      <IconLink size={16} stroke={1.9} aria-hidden="true" />
                      Link to this answer
                    </a>
                  </AccordionItem>
                </div>
              ) : null,
            )}
          </section>
        ))}
        {children}
      </div>
    </div>
  );
}

// A search renders the list again with each letter; the answers stay the same.
const Answer = memo(function Answer({ id, loadAnswer }: Pick<FaqSectionsProps, "loadAnswer"> & { id: string }) {
  return <PageText id={`${id}-answer`} load={() => loadAnswer(id)} />;
});

function addressOf(section: string): string {
  return `section-${section.toLowerCase().replace(/[^a-z0-9]+/g, "-")}`;
}
