import content from "content:pages/faqs";
import { SearchHero } from "./faq-search.tsx";
import { questions, useFaqSearch, type Hit } from "./use-faq-search.ts";
import { SEARCH_BOX } from "./use-url-query.ts";
import { Band, Split } from "#web/ui/band.tsx";
import { Prose } from "#web/ui/prose.tsx";
import { usePanels, type Panels } from "#web/ui/use-panels.ts";
import { IconLink } from "@tabler/icons-react";
import { memo } from "react";
import { AccordionItem } from "#web/ui/accordion.tsx";
import { Button } from "#web/ui/button.tsx";
import { PageText } from "#web/ui/page-text.tsx";
import layout from "#web/ui/layout.module.css";
import classes from "./faqs-page.module.css";

const loadAnswer = async (id: string) =>
  (await import("content:faqs")).default.find((answer) => answer.id === id)?.html ?? "";

export default function FaqsPage() {
  const panels = usePanels();
  const { query, setQuery, hits, isLoading } = useFaqSearch(panels);
  return (
    <>
      <SearchHero
        content={content}
        query={query}
        onQuery={setQuery}
        found={isLoading ? "Searching…" : describeResult(query, hits.length)}
      />
      <Band id="questions">
        <FaqSections
          hits={hits}
          panels={panels}
          onSearch={(next) => {
            setQuery(next);
            // The pressed button disappears.
            document.getElementById(SEARCH_BOX)?.focus();
          }}
        />
      </Band>
    </>
  );
}

function describeResult(query: string, count: number): string {
  if (!query.trim()) return `${questions.length} questions`;
  if (count === 0) return "No questions found";
  return `${count} of ${questions.length} questions`;
}

interface FaqSectionsProps {
  /** Questions that match the search. */
  hits: readonly Hit[];
  panels: Panels;
  onSearch: (query: string) => void;
}

/** Questions grouped by section, with a list of the sections. */
function FaqSections({ hits, panels, onSearch }: FaqSectionsProps) {
  const { none } = content.search;
  const matches = new Map(hits.map((hit) => [hit.id, hit]));
  // List the best matches first. Keep the other questions in the page, but hidden.
  const listed = [...hits, ...questions.filter(({ id }) => !matches.has(id))];
  const sections = [...new Set(listed.map(({ section }) => section))];
  const countIn = (section: string) => hits.filter((hit) => hit.section === section).length;
  const isAllOpen = hits.every(({ id }) => panels.isOpen(id));
  return (
    <Split columns="17rem minmax(0, 1fr)">
      <nav className={`${layout.sticky} ${classes.sections}`} aria-label="Sections" data-screen-only>
        <ul style={{ marginBottom: "1.25rem" }}>
          {sections.map((section) => (
            <li key={section} hidden={countIn(section) === 0}>
              <a href={`#${toAnchor(section)}`}>
                <span>{section}</span>
                <span className={layout.note}>{countIn(section)}</span>
              </a>
            </li>
          ))}
        </ul>
        {hits.length > 0 && (
          <Button
            variant="default"
            size="sm"
            data-needs-scripts
            onClick={() => panels.setAll(isAllOpen ? [] : hits.map(({ id }) => id))}
          >
            {isAllOpen ? "Close all" : "Open all"}
          </Button>
        )}
      </nav>
      <div className={classes.questions}>
        {hits.length === 0 && (
          <div
            className={layout.dashed}
            style={{ display: "grid", justifyItems: "start", gap: "1.25rem", maxWidth: "34rem" }}
            data-screen-only
          >
            <h2 style={{ fontSize: "1.1875rem" }}>{none.title}</h2>
            <p style={{ margin: 0 }}>{none.text}</p>
            <p className={layout.actions}>
              {none.tryInstead}
              {none.words.map((word) => (
                <Button key={word} variant="default" size="sm" onClick={() => onSearch(word)}>
                  {word}
                </Button>
              ))}
            </p>
            <Button onClick={() => onSearch("")}>Show all questions</Button>
          </div>
        )}
        {sections.map((section) => (
          <section key={section} aria-labelledby={toAnchor(section)} hidden={countIn(section) === 0}>
            <h2 id={toAnchor(section)}>{section}</h2>
            {listed.map((question) =>
              question.section === section ? (
                <div key={question.id} hidden={!matches.has(question.id)}>
                  <AccordionItem
                    id={question.id}
                    title={question.title}
                    aside={matches.get(question.id)?.inAnswer ? "in the answer" : undefined}
                    panels={panels}
                  >
                    <Answer id={question.id} />
                    <a
                      className={`${layout.link} ${layout.note}`}
                      data-screen-only
                      href={`#${question.id}`}
                      aria-label={`Link to: ${question.title}`}
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
        <Prose html={content.html} />
      </div>
    </Split>
  );
}

// Memoised, because each typed letter re-renders the list.
const Answer = memo(function Answer({ id }: { id: string }) {
  return <PageText id={`${id}-answer`} load={() => loadAnswer(id)} />;
});

function toAnchor(section: string): string {
  return `section-${section.toLowerCase().replace(/[^a-z0-9]+/g, "-")}`;
}
