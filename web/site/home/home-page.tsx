import content from "content:home";
import levels from "content:levels";
import peopleContent from "content:people";
import { LevelPanels } from "#web/site/products/level-panel.tsx";
import { paths } from "#web/platform/paths.ts";
import { useSession } from "#web/platform/session.ts";
import { BannerCarousel } from "./banner-carousel.tsx";
import { BenefitsTimeline } from "./benefits-timeline.tsx";
import { Endorsements } from "./endorsements.tsx";
import { PeopleRows } from "./people-rows.tsx";
import { Band } from "#web/ui/band.tsx";
import { BarSteps } from "#web/ui/bar-steps.tsx";
import layout from "#web/ui/layout.module.css";
import { PageHero } from "#web/ui/page-hero.tsx";
import { LinkButton } from "#web/ui/button.tsx";
import { ContentLink } from "#web/ui/content-link.tsx";
import { canStartTrial, useTrialStatus } from "#web/licensing/trials/trial-status.ts";
import classes from "./home-page.module.css";

export default function HomePage() {
  const { banner, promises, timeline, steps, people, endorsements, team, community } = content;
  const { directors, businessSpecialists, note } = peopleContent;
  return (
    <>
      <div className={classes.hero}>
        <PageHero
          title={content.title}
          heading={content.heading.replaceAll(". ", ".\n")}
          lead={content.lead}
          actions={<HeroActions />}
          note={content.note}
          picture={<BannerCarousel slides={banner} />}
        />
        <ul className={`${layout.columns} ${classes.promises}`}>
          {promises.map(({ title, text }) => (
            <li key={title}>
              <h2>{title}</h2>
              <p>{text}</p>
            </li>
          ))}
        </ul>
      </div>

      <Band id="levels" title={content.products.heading} text={content.products.text}>
        <LevelPanels
          panels={content.products.cards.flatMap(({ product, text, links }) =>
            levels.filter(({ id }) => id === product).map((level) => ({ level, text, adds: level.adds, links })),
          )}
        />
      </Band>
      <BenefitsTimeline {...timeline} levels={levels.toReversed()} />
      <Band id="steps" title={steps.heading}>
        <BarSteps steps={steps.items} />
      </Band>
      <PeopleRows {...people} note={note} people={[...directors, ...businessSpecialists]} />
      <Endorsements {...endorsements} note={note} endorsements={peopleContent.endorsements} />

      <Band id="team" hasOwnTitle tone="surface">
        <div className={`${layout.columns} ${classes.team}`}>
          <div>
            <h2 id="team-title">{team.heading}</h2>
            <p>{team.text}</p>
          </div>
          <div className={layout.actions}>
            <LinkButton size="lg" variant="default" href={team.link.to}>
              {team.link.label}
            </LinkButton>
          </div>
          <p className={classes.community}>
            {community.text} <ContentLink to={community.link.to}>{community.link.label}</ContentLink>
          </p>
        </div>
      </Band>

      <TrialBand />
    </>
  );
}

/** Offers the trial, except to customers who can't start one. */
function TrialBand() {
  const { trial } = content;
  const trialStatus = useTrialStatus();
  if (!canStartTrial(trialStatus)) return null;
  return (
    <Band id="trial" hasOwnTitle tone="night">
      <div className={classes.trial}>
        <h2 id="trial-title">{trial.heading}</h2>
        <p>{trial.text}</p>
        <div className={layout.actions}>
          <LinkButton size="lg" to={trial.link.to}>
            {trial.link.label}
          </LinkButton>
          <span>{trial.note}</span>
        </div>
      </div>
    </Band>
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
