import articles from "content:article-heads";
import content from "content:pages/knowledge-base";
import { type CSSProperties, useEffect, useMemo, useState } from "react";
import { formatCount } from "#schema/numbers.ts";
import { SearchHero } from "#web/site/faqs/faq-search.tsx";
import { useUrlQuery } from "#web/site/faqs/use-url-query.ts";
import { Band } from "#web/ui/band.tsx";
import { ContentLink } from "#web/ui/content-link.tsx";
import layout from "#web/ui/layout.module.css";
import { PageLinks } from "#web/ui/page-links.tsx";
import { Tag } from "#web/ui/tag.tsx";

/**
 * The knowledge base: articles by section, with a search that tolerates typing errors and also finds chapters of the user guide
 * and tutorials.
 */
export default function KnowledgeBasePage() {
  const { search, links } = content;
  const [query, setQuery] = useUrlQuery();
  const hits = useHelpSearch(query);
  return (
    <>
      <SearchHero
        content={content}
        query={query}
        onQuery={setQuery}
        found={hits ? formatCount(hits.length, "result") : `${articles.length} articles`}
      />
      <Band id="articles">
        {hits ? <Hits hits={hits} none={search.none} /> : <Articles />}
        <PageLinks links={links} isEnd />
      </Band>
    </>
  );
}

const grid = { "--min": "24rem", gap: "2.5rem 4rem" } as CSSProperties;
const line: CSSProperties = { paddingBlock: "0.75rem", borderBottom: "1px solid var(--xp-line)" };

/** What the search found, best first. Each hit says what kind of help it is. */
function Hits({ hits, none }: { hits: readonly HelpSection[]; none: string }) {
  if (hits.length === 0) return <p>{none}</p>;
  return (
    <ul style={{ maxWidth: "48rem" }} aria-label="Results">
      {hits.map(({ id, kind, title, summary }) => (
        <li key={id} style={line}>
          <ContentLink to={id}>{title}</ContentLink> <Tag>{kind}</Tag>
          <p className={layout.note} style={{ marginTop: "0.25rem" }}>
            {summary}
          </p>
        </li>
      ))}
    </ul>
  );
}

function Articles() {
  const sections = [...new Set(articles.map(({ section }) => section))];
  return (
    <div className={layout.columns} style={grid}>
      {sections.map((section) => (
        <section key={section} aria-label={section}>
          <h2 style={{ fontSize: "1.375rem" }}>{section}</h2>
          <ul>
            {articles
              .filter((article) => article.section === section)
              .map((article) => (
                <li key={article.id} style={line}>
                  <ContentLink to={article.path}>{article.title}</ContentLink>
                  {article.messages.map((message) => (
                    <p key={message} className={layout.note} style={{ marginTop: "0.25rem" }}>
                      {message}
                    </p>
                  ))}
                </li>
              ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

type HelpSection = typeof import("content:help-sections")["default"][number];

/** Returns the matching parts of the help, best first; null without words to search for and while the index loads. */
function useHelpSearch(query: string): readonly HelpSection[] | null {
  const [search, setSearch] = useState<{ find: (query: string) => HelpSection[] | null } | null>(null);
  const isNeeded = query.trim() !== "";
  useEffect(() => {
    if (!isNeeded || search) return undefined;
    let isCurrent = true;
    void Promise.all([import("#web/site/faqs/faq-index.ts"), import("content:help-sections")]).then(
      ([{ buildFaqIndex }, { default: sections }]) => {
        const findIds = buildFaqIndex(sections);
        const byId = new Map(sections.map((section) => [section.id, section]));
        const find = (words: string) => findIds(words)?.flatMap(({ id }) => byId.get(id) ?? []) ?? null;
        if (isCurrent) setSearch({ find });
      },
      // Offline, all articles stay listed.
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [isNeeded, search]);
  return useMemo(() => (search && isNeeded ? search.find(query) : null), [search, isNeeded, query]);
}
