import type { CSSProperties } from "react";
import content from "content:home";
import peopleContent from "content:people";
import summary from "content:sample-summary";
import { LevelPanels } from "#web/site/products/level-panel.tsx";
import { paths } from "#web/platform/paths.ts";
import { useSession } from "#web/platform/session.ts";
import { BannerCarousel } from "./banner-carousel.tsx";
import { BenefitsTimeline } from "./benefits-timeline.tsx";
import { ArrowLink, ContentLink } from "#web/ui/content-link.tsx";
import { Band, Split } from "#web/ui/band.tsx";
import layout from "#web/ui/layout.module.css";
import { PageHero } from "#web/ui/page-hero.tsx";
import { LinkButton } from "#web/ui/button.tsx";
import { canStartTrial, useTrialStatus } from "#web/licensing/trials/trial-status.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { Tag } from "#web/ui/tag.tsx";
import { StillPicture } from "./still-picture.tsx";
import classes from "./home-page.module.css";

const { directors, businessSpecialists, endorsements, note } = peopleContent;
const people = [...directors, ...businessSpecialists];

const StillMonogram = lazyPart(
  async () => ({ default: (await import("#web/site/pictures/monogram.tsx")).Monogram }),
  "nothing",
);

export default function HomePage() {
  const { sample, steps, team, community } = content;
  return (
    <div style={{ "--band-padding": "clamp(2.5rem, 3.4vw, 3rem)" } as CSSProperties}>
      <div className={classes.hero}>
        <PageHero
          content={{ ...content, heading: content.heading.replaceAll(". ", ".\n") }}
          actions={<HeroActions />}
          note={content.note}
          picture={<BannerCarousel />}
        />
      </div>

      <Band id="levels" title={content.products.heading} text={content.products.text}>
        <LevelPanels isCompact cards={content.products.cards} />
      </Band>
      <Band id="sample" hasOwnTitle>
        <Split columns="minmax(0, 1fr) minmax(0, 1fr)" align="center">
          <div>
            <h2 id="sample-title" style={{ fontSize: "1.75rem" }}>
              {sample.heading}
            </h2>
            <p style={{ marginBottom: "1.25rem" }}>{sample.text}</p>
            <div className={layout.actions}>
              <LinkButton variant="default" to={sample.link.to}>
                {sample.link.label}
              </LinkButton>
              <ArrowLink {...sample.addIn} />
            </div>
          </div>
          <dl className={`${layout.topped} ${classes.counts}`} data-tones>
            <Count label={sample.counts.activities} value={summary.activities} />
            <Count label={sample.counts.relationships} value={summary.relationships} />
            <Count label={sample.counts.problems} value={summary.problems} />
            <Count label={sample.counts.checks} value={`${summary.checksPassed} of ${summary.checks}`} />
          </dl>
        </Split>
      </Band>
      <BenefitsTimeline />
      {(people.length > 0 || endorsements.length > 0) && (
        <Band id="people">
          <Split columns="minmax(0, 1fr) minmax(0, 1fr)">
            <PeopleRows />
            <Endorsements />
          </Split>
        </Band>
      )}

      <Band id="team" hasOwnTitle tone="surface">
        <Split columns="minmax(0, 1fr) auto" align="center">
          <div>
            <h2 id="team-title" style={{ fontSize: "1.625rem" }}>
              {team.heading}
            </h2>
            <p>
              {team.text} {community.text} <ContentLink to={community.link.to}>{community.link.label}</ContentLink>
            </p>
          </div>
          <div className={layout.actions}>
            <LinkButton size="lg" variant="default" href={team.link.to}>
              {team.link.label}
            </LinkButton>
          </div>
        </Split>
      </Band>

      <Band id="start" tone="night">
        <Split columns="minmax(0, 1fr) minmax(0, 1.1fr)">
          <TrialOffer />
          <section aria-labelledby="steps-title">
            <h2 id="steps-title" style={{ fontSize: "1.375rem" }}>
              {steps.heading}
            </h2>
            <ol data-tones>
              {steps.items.map(({ title, text }) => (
                <li key={title} className={layout.marked} style={{ marginTop: "1.25rem" }}>
                  <h3>{title}</h3>
                  <p>{text}</p>
                </li>
              ))}
            </ol>
          </section>
        </Split>
      </Band>
    </div>
  );
}

function Count({ label, value }: { label: string; value: string | number }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** Offers the trial, except to customers who can't start one. */
function TrialOffer() {
  const { trial } = content;
  const trialStatus = useTrialStatus();
  if (!canStartTrial(trialStatus)) return null;
  return (
    <section aria-labelledby="trial-title">
      <h2 id="trial-title" style={{ maxWidth: "16ch" }}>
        {trial.heading}
      </h2>
      <p style={{ maxWidth: "34rem", marginBlock: "1rem 1.5rem" }}>{trial.text}</p>
      <div className={layout.actions}>
        <LinkButton size="lg" to={trial.link.to}>
          {trial.link.label}
        </LinkButton>
        <span className={layout.muted}>{trial.note}</span>
      </div>
    </section>
  );
}

/** Hero buttons. The prerendered page has those for visitors, so CSS hides them from signed-in users while it loads. */
function HeroActions() {
  const session = useSession();
  if (session)
    return (
      <LinkButton size="lg" to={paths.myAccount.href()}>
        Go to My Account
      </LinkButton>
    );
  return (
    <div className={`${layout.actions} ${classes.entrances}`}>
      <LinkButton size="lg" to={content.trial.link.to}>
        {content.trial.link.label}
      </LinkButton>
      <LinkButton size="lg" variant="default" to={paths.register.href()}>
        Register
      </LinkButton>
    </div>
  );
}

/** Notice that the content is invented. Disappears when people.md contains no samples. */
function SampleNote({ shown }: { shown: readonly { readonly sample: boolean }[] }) {
  if (!shown.some(({ sample }) => sample)) return null;
  return (
    <p className={layout.note}>
      <Tag>Sample content</Tag> {note}
    </p>
  );
}

/** The people behind the company, whose profiles are on the About page. Missing while `people.md` has none. */
function PeopleRows() {
  const { heading, text, link } = content.people;
  if (people.length === 0) return null;
  return (
    <section aria-labelledby="people-title">
      <h2 id="people-title">{heading}</h2>
      <p>
        {text} <ContentLink to={link.to}>{link.label}</ContentLink>
      </p>
      <SampleNote shown={people} />
      <ul className={classes.rows}>
        {people.map(({ name, initials, role }) => (
          <li key={name}>
            <StillPicture>
              <StillMonogram initials={initials} />
            </StillPicture>
            <div>
              <h3 style={{ fontSize: "1.0625rem" }}>{name}</h3>
              <p style={{ margin: 0, fontSize: "0.9375rem" }}>{role}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Customer quotes. Missing while there are none. */
function Endorsements() {
  if (endorsements.length === 0) return null;
  return (
    <section aria-labelledby="endorsements-title">
      <h2 id="endorsements-title">{content.endorsements.heading}</h2>
      <SampleNote shown={endorsements} />
      <div data-tones>
        {endorsements.map(({ quote, name, role }) => (
          <figure key={quote} className={`${layout.marked} ${classes.endorsement}`}>
            <blockquote>
              <p>“{quote}”</p>
            </blockquote>
            <figcaption>
              {name} <span>{role}</span>
            </figcaption>
          </figure>
        ))}
      </div>
    </section>
  );
}
