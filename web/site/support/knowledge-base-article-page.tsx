import articles from "content:article-heads";
import content from "content:pages/knowledge-base";
import { Suspense } from "react";
import { useParams } from "react-router-dom";
import { ContactCall } from "#web/ui/contact-call.tsx";
import NotFoundPage from "#web/ui/errors/error-404.tsx";
import { Band, Split } from "#web/ui/band.tsx";
import layout from "#web/ui/layout.module.css";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { PageHero } from "#web/ui/page-hero.tsx";
import { PageLinks } from "#web/ui/page-links.tsx";
import { PageText } from "#web/ui/page-text.tsx";

const load = async (id: string) => (await import("content:articles")).default.find((one) => one.id === id)?.html ?? "";

/** An article of the knowledge base, with the messages of the add-in that it explains. */
export default function KnowledgeBaseArticlePage() {
  const { article: id = "" } = useParams();
  const article = articles.find((one) => one.id === id.toLowerCase());
  if (!article) return <NotFoundPage />;
  const { title, section, messages } = article;
  const related = articles.filter((one) => one.section === section && one !== article);
  return (
    <>
      <PageHero content={{ title, heading: title }} eyebrow={section} />
      <Band id="article" tone="surface">
        <Split columns="minmax(0, 42rem) minmax(18rem, 1fr)">
          <div>
            {messages.map((message) => (
              <p
                key={message}
                className={layout.marked}
                style={{ marginBottom: "1.5rem", paddingBlock: "0.75rem", background: "var(--xp-sunken)" }}
              >
                <span style={{ display: "block", color: "var(--xp-muted)", fontSize: "0.875rem" }}>
                  {content.messageLabel}
                </span>
                {message}
              </p>
            ))}
            <Suspense fallback={<LoadingBlock label="Loading" />}>
              <PageText key={article.id} id={`article-${article.id}`} load={() => load(article.id)} />
            </Suspense>
          </div>
          <div className={layout.sticky}>
            <ContactCall mailbox="support" title={content.notSolved.title} text={content.notSolved.text} />
          </div>
        </Split>
        <PageLinks
          links={[
            ...related.map(({ path, title: label }) => ({ to: path, label })),
            { to: content.path, label: content.heading },
          ]}
          isEnd
        />
      </Band>
    </>
  );
}
