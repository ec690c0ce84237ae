import corporate from "content:legal-heads/corporate-licence-terms";
import privacy from "content:legal-heads/privacy-policy";
import single from "content:legal-heads/single-licence-terms";
import terms from "content:legal-heads/terms-and-conditions";
import content from "content:pages/legals";
import { LegalText } from "./legal-text.tsx";
import { LegalDownload } from "./legal-download.tsx";
import { Band } from "#web/ui/band.tsx";
import { PageHero } from "#web/ui/page-hero.tsx";
import { Accordion, AccordionLink } from "#web/ui/accordion.tsx";

const loadSingle = async () => (await import("content:legals/single-licence-terms")).default.html;

export default function LegalsPage() {
  const { title, heading, lead } = content;
  return (
    <>
      <PageHero title={title} heading={heading} lead={lead} />
      <Band id="documents">
        <Accordion
          level={2}
          items={[
            {
              id: content.single.id,
              title: content.single.title,
              note: describeDocument(single),
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
              note: `PDF, ${corporate.clauses} clauses`,
              content: <LegalDownload document={corporate} {...content.corporate} />,
            },
          ]}
        >
          {[terms, privacy].map((page) => (
            <AccordionLink
              key={page.id}
              id={page.id}
              title={page.heading}
              note={describeDocument(page)}
              to={page.path}
              level={2}
            />
          ))}
        </Accordion>
      </Band>
    </>
  );
}

function describeDocument({ clauses, updatedLabel }: { clauses: number; updatedLabel: string }): string {
  return `${clauses} clauses · ${updatedLabel.replace(/^L/, "l")}`;
}
