import corporate from "content:legal-heads/corporate-licence-terms";
import privacy from "content:legal-heads/privacy-policy";
import single from "content:legal-heads/single-licence-terms";
import terms from "content:legal-heads/terms-and-conditions";
import content from "content:pages/legals";
import { LegalText } from "./legal-text.tsx";
import { Band, Split } from "#web/ui/band.tsx";
import { PageHero } from "#web/ui/page-hero.tsx";
import { Accordion, AccordionLink } from "#web/ui/accordion.tsx";
import { IconDownload } from "@tabler/icons-react";
import { LinkButton } from "#web/ui/button.tsx";
import layout from "#web/ui/layout.module.css";
import classes from "./legal-text.module.css";
import { MailLink } from "#web/ui/mail-link.tsx";

const loadSingle = async () => (await import("content:legals/single-licence-terms")).default.html;

export default function LegalsPage() {
  return (
    <>
      <PageHero content={content} />
      <Band id="documents">
        <Accordion
          level={2}
          items={[
            {
              id: content.single.id,
              title: content.single.title,
              note: describeDocument(single),
              content: <LegalText content={single} load={loadSingle} />,
            },
            {
              id: content.corporate.id,
              title: content.corporate.title,
              note: `PDF, ${corporate.clauses} clauses`,
              content: <LegalDownload />,
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

/** Download link for the corporate terms, with their table of contents and a contact. */
function LegalDownload() {
  const { updatedLabel, pdf, contents } = corporate;
  const { text, download, contact } = content.corporate;
  return (
    <Split columns="minmax(0, 1fr) minmax(0, 22rem)">
      <div>
        <p style={{ maxWidth: "38rem", fontSize: "1.0625rem" }}>{text}</p>
        <div className={layout.actions} style={{ marginBlock: "1.75rem 1.5rem" }}>
          <LinkButton href={pdf} download>
            <IconDownload size={19} stroke={1.9} aria-hidden="true" />
            {download}
          </LinkButton>
          <p>
            {contact}
            <br />
            <MailLink to="corporate" />
          </p>
        </div>
        <p className={layout.note}>{updatedLabel}. A4, tagged for screen readers.</p>
      </div>
      <div className={classes.sheet}>
        <b>In the document</b>
        <ol>
          {contents.map(({ id, title }) => (
            <li key={id}>{title}</li>
          ))}
        </ol>
      </div>
    </Split>
  );
}
