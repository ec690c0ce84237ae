import questions from "content:faq-questions";
import content from "content:pages/faqs";
import { FaqSearch } from "./faq-search.tsx";
import { FaqSections } from "./faq-sections.tsx";
import { useFaqSearch } from "./use-faq-search.ts";
import { Band } from "#web/ui/band.tsx";
import { PageHero } from "#web/ui/page-hero.tsx";
import { Prose } from "#web/ui/prose.tsx";
import { usePanels } from "#web/ui/use-panels.ts";

const shown = questions.filter(({ show }) => show);

const loadAnswer = async (id: string) =>
  (await import("content:faqs")).default.find((answer) => answer.id === id)?.html ?? "";

export default function FaqsPage() {
  const { title, heading, lead, search, html } = content;
  const panels = usePanels();
  const { query, setQuery, hits, isLoading } = useFaqSearch(shown, panels);
  return (
    <>
      <PageHero
        title={title}
        heading={heading}
        lead={lead}
        actions={
          <FaqSearch
            label={search.label}
            hint={search.hint}
            query={query}
            onQuery={setQuery}
            found={isLoading ? "Searching…" : describeResult(query, hits.length)}
          />
        }
      />
      <Band id="questions">
        <FaqSections
          questions={shown}
          hits={hits}
          panels={panels}
          loadAnswer={loadAnswer}
          none={search.none}
          onSearch={setQuery}
        >
          <Prose html={html} />
        </FaqSections>
      </Band>
    </>
  );
}

function describeResult(query: string, count: number): string {
  if (!query.trim()) return `${shown.length} questions`;
  if (count === 0) return "No questions found";
  return `${count} of ${shown.length} questions`;
}
