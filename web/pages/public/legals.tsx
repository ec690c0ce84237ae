import corporate from "content:legal-heads/corporate-licence-terms";
import single from "content:legal-heads/single-licence-terms";
import content from "content:pages/legals";
import { LegalText } from "#web/features/legal-text/legal-text.tsx";
import { LegalDownload } from "#web/features/legal-text/legal-download.tsx";
import { Band } from "#web/features/public-page/band.tsx";
import { PageHero } from "#web/features/public-page/page-hero.tsx";
import { PageLinks } from "#web/features/public-page/page-links.tsx";
import { Accordion } from "#web/ui/accordion.tsx";

const loadSingle = async () => (await import("content:legals/single-licence-terms")).default.html;

/** The page at `paths.legals`. */
export default function LegalsPage() {
  const { title, heading, lead, links } = content;
  return (
    <>
      <PageHero title={title} heading={heading} lead={lead} actions={<PageLinks links={links} />} />
      <Band id="documents">
        <Accordion
          level={2}
          items={[
            {
              id: content.single.id,
              title: content.single.title,
              content: (
                <LegalText
                  id={single.id}
                  clauses={single.contents}
                  updatedLabel={single.updatedLabel}
                  load={loadSingle}
                />
              ),
            },
            {
              id: content.corporate.id,
              title: content.corporate.title,
              content: <LegalDownload document={corporate} {...content.corporate} />,
            },
          ]}
        />
      </Band>
    </>
  );
}
