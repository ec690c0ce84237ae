import articles from "content:article-heads";
import content from "content:pages/knowledge-base";
import { useEffect, useMemo, useState } from "react";
import { FaqSearch } from "#web/site/faqs/faq-search.tsx";
import type { buildFaqIndex } from "#web/site/faqs/faq-index.ts";
import { EmptyPagePicture } from "#web/site/pictures/empty-page.tsx";
import { Band } from "#web/ui/band.tsx";
import { ContentLink } from "#web/ui/content-link.tsx";
import layout from "#web/ui/layout.module.css";
import { PageHero } from "#web/ui/page-hero.tsx";
import { PageLinks } from "#web/ui/page-links.tsx";
import { Prose } from "#web/ui/prose.tsx";
import classes from "./knowledge-base-page.module.css";

/**
 * The knowledge base: articles by section, with a search that tolerates typing errors. Without articles, a placeholder with
 * links to other help.
 */
export default function KnowledgeBasePage() {
  const { title, heading, lead, found, search, meanwhile, links, html } = content;
  const [query, setQuery] = useState("");
  const ids = useArticleSearch(query);
  const shown = ids ? ids.flatMap((id) => articles.find((article) => article.id === id) ?? []) : articles;
  const sections = [...new Set(shown.map(({ section }) => section))];
  return (
    <>
      <PageHero
        title={title}
        heading={heading}
        lead={articles.length > 0 ? `${lead} ${found}` : lead}
        actions={
          articles.length > 0 && (
            <FaqSearch
              label={search.label}
              hint={search.hint}
              query={query}
              onQuery={setQuery}
              found={ids ? `${shown.length} of ${articles.length} articles` : `${articles.length} articles`}
            />
          )
        }
        picture={articles.length === 0 && <EmptyPagePicture />}
      />
      {articles.length > 0 && (
        <Band id="articles">
          {shown.length === 0 && <p>{search.none}</p>}
          <div className={classes.sections}>
            {sections.map((section) => (
              <section key={section} aria-label={section}>
                <h2>{section}</h2>
                <ul>
                  {shown
                    .filter((article) => article.section === section)
                    .map((article) => (
                      <li key={article.id}>
                        <ContentLink to={article.path}>{article.title}</ContentLink>
                        {article.messages.map((message) => (
                          <p key={message} className={layout.note}>
                            {message}
                          </p>
                        ))}
                      </li>
                    ))}
                </ul>
              </section>
            ))}
          </div>
        </Band>
      )}
      <Band id="meanwhile" title={meanwhile} tone="surface">
        <Prose html={html} />
        <PageLinks links={links} isEnd />
      </Band>
    </>
  );
}

/** Returns the ids of the articles that match, best first; null without a query and until the index has loaded. */
function useArticleSearch(query: string): readonly string[] | null {
  const [search, setSearch] = useState<{ find: ReturnType<typeof buildFaqIndex> } | null>(null);
  const isNeeded = query.trim() !== "";
  useEffect(() => {
    if (!isNeeded || search) return undefined;
    let isCurrent = true;
    void Promise.all([import("#web/site/faqs/faq-index.ts"), import("content:articles")]).then(
      ([{ buildFaqIndex }, { default: texts }]) => {
        const questions = texts.map(({ html, messages, keywords, ...article }) => ({
          ...article,
          keywords: [keywords, ...messages].join(" "),
          answer: html.replace(/<[^>]+>/g, " "),
        }));
        if (isCurrent) setSearch({ find: buildFaqIndex(questions) });
      },
      // Offline, all articles stay listed.
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [isNeeded, search]);
  return useMemo(() => (search && isNeeded ? search.find(query).map(({ id }) => id) : null), [search, isNeeded, query]);
}
