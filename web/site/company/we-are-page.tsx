import type { CSSProperties } from "react";
import content from "content:pages/we-are";
import { CompanyPicture } from "#web/site/pictures/company.tsx";
import { Band, ProseWithAside, Split } from "#web/ui/band.tsx";
import { BarSteps } from "#web/ui/bar-steps.tsx";
import { ContactCall } from "#web/ui/contact-call.tsx";
import { LinkRows } from "#web/ui/picture-cards.tsx";
import { PageHero } from "#web/ui/page-hero.tsx";
import layout from "#web/ui/layout.module.css";
import classes from "./we-are-page.module.css";
import people from "content:people";
import { Monogram } from "#web/site/pictures/monogram.tsx";
import { Tag } from "#web/ui/tag.tsx";

export default function WeArePage() {
  const { journey, community, html } = content;
  return (
    <>
      <PageHero content={content} picture={<CompanyPicture />} />
      <Band id="mission" hasOwnTitle tone="surface">
        <Mission />
      </Band>
      <People />
      <Band id="journey" title={journey.heading} tone="surface">
        <BarSteps steps={journey.points.map(({ label, text }) => ({ title: label, text }))} />
      </Band>
      <Band id="why">
        <ProseWithAside html={html}>
          <ContactCall
            mailbox="sales"
            title="Write to us"
            text="Send us a question, a schedule that doesn't convert, or an idea for the next version."
          />
        </ProseWithAside>
      </Band>
      <Band id={community.id} title={community.heading} text={community.text} tone="surface">
        <LinkRows rows={community.cards} />
      </Band>
    </>
  );
}

/** Mission statement in large type, with its principles. */
function Mission() {
  const { heading, text, points } = content.mission;
  return (
    <>
      <h2 id="mission-title" className={classes.label}>
        {heading}
      </h2>
      <p className={classes.sentence}>{text}</p>
      <ul className={`${layout.columns} ${layout.topped}`} data-tones>
        {points.map((point) => (
          <li key={point.title}>
            <h3>{point.title}</h3>
            <p>{point.text}</p>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Directors and business specialist under separate headings. Invented people have a Sample badge. Missing while there are none. */
function People() {
  const groups = [
    { heading: content.directors.heading, members: people.directors },
    { heading: content.businessSpecialist.heading, members: people.businessSpecialists },
  ].filter(({ members }) => members.length > 0);
  if (groups.length === 0) return null;
  return (
    <Band id="people">
      <Split columns="minmax(0, 2fr) minmax(0, 1fr)">
        {groups.map(({ heading, members }) => (
          <section key={heading} className={classes.group} aria-label={heading}>
            <h2 style={{ marginBottom: "1.75rem", fontSize: "clamp(1.625rem, 1.3rem + 1.2vw, 2.125rem)" }}>
              {heading}
            </h2>
            <ul className={layout.columns} style={{ "--min": "15rem" } as CSSProperties}>
              {members.map((person) => (
                <Portrait key={person.name} {...person} />
              ))}
            </ul>
          </section>
        ))}
      </Split>
      {groups.some(({ members }) => members.some(({ sample }) => sample)) && (
        <p className={layout.note} style={{ marginTop: "2.5rem" }}>
          {people.note}
        </p>
      )}
    </Band>
  );
}

function Portrait({ name, initials, role, text, sample }: (typeof people.directors)[number]) {
  return (
    <li>
      <div style={{ width: "7.5rem", marginBottom: "1.125rem" }}>
        <Monogram initials={initials} />
      </div>
      <h3>{name}</h3>
      <p style={{ marginBlock: "0.25rem 0.625rem", color: "var(--xp-brand)", fontWeight: 560 }}>
        {role} {sample && <Tag>Sample</Tag>}
      </p>
      <p>{text}</p>
    </li>
  );
}
