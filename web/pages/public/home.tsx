import content from "content:home";
import products from "content:pages/products";
import peopleContent from "content:people";
import { paths } from "#web/platform/paths.ts";
import { useSession } from "#web/platform/session.ts";
import { BannerCarousel } from "#web/site/home/banner-carousel.tsx";
import { BenefitsTimeline } from "#web/site/home/benefits-timeline.tsx";
import { Endorsements } from "#web/site/home/endorsements.tsx";
import { PeopleRows } from "#web/site/home/people-rows.tsx";
import { ProductLevels } from "#web/site/home/product-levels.tsx";
import { Band } from "#web/public-ui/band.tsx";
import { BarSteps } from "#web/public-ui/bar-steps.tsx";
import { LinkButton } from "#web/ui/button.tsx";
import { ContentLink } from "#web/ui/content-link.tsx";
import { canStartTrial, useTrialStatus } from "#web/licensing/trials/trial-status.ts";
import { PageTitle } from "#web/ui/page-layout.tsx";
import classes from "./home.module.css";

export default function HomePage() {
  const { banner, promises, timeline, steps, people, endorsements, team, community } = content;
  const { directors, businessSpecialist, note } = peopleContent;
  return (
    <>
      <div className={classes.hero}>
        <div className={classes.heroInner}>
          <div className={classes.pitch}>
            <PageTitle className={classes.title} documentTitle={content.title}>
              {content.heading.replaceAll(". ", ".\n")}
            </PageTitle>
            <p className={classes.lead}>{content.lead}</p>
            <HeroActions />
            <p className={classes.small}>{content.note}</p>
          </div>
          <BannerCarousel slides={banner} />
        </div>
        <ul className={classes.promises}>
          {promises.map(({ title, text }) => (
            <li key={title}>
              <h2>{title}</h2>
              <p>{text}</p>
            </li>
          ))}
        </ul>
      </div>

      <ProductLevels {...content.products} rows={products.comparison.rows} />
      <div className={classes.further} data-undrawn>
        <BenefitsTimeline {...timeline} levels={content.products.cards} />
        <Band id="steps" title={steps.heading}>
          <BarSteps steps={steps.items} />
        </Band>
        <PeopleRows {...people} note={note} people={[...directors, businessSpecialist]} />
        <Endorsements {...endorsements} note={note} endorsements={peopleContent.endorsements} />

        <section className={classes.team} aria-labelledby="team">
          <div className={classes.teamInner}>
            <div>
              <h2 id="team">{team.heading}</h2>
              <p>{team.text}</p>
            </div>
            <LinkButton size="lg" variant="default" href={team.link.to}>
              {team.link.label}
            </LinkButton>
            <p className={classes.community}>
              {community.text} <ContentLink to={community.link.to}>{community.link.label}</ContentLink>
            </p>
          </div>
        </section>

        <TrialBand />
      </div>
    </>
  );
}

/** Offers the trial, except to customers who can't start one. */
function TrialBand() {
  const { trial } = content;
  const trialStatus = useTrialStatus();
  if (!canStartTrial(trialStatus)) return null;
  return (
    <section className={classes.trial} aria-labelledby="trial">
      <div className={classes.trialInner}>
        <h2 id="trial">{trial.heading}</h2>
        <p>{trial.text}</p>
        <div className={classes.actions}>
          <LinkButton size="lg" to={trial.link.to}>
            {trial.link.label}
          </LinkButton>
          <span>{trial.note}</span>
        </div>
      </div>
      <div className={classes.bars} aria-hidden="true">
        <i />
        <i />
        <i />
        <i />
        <i />
      </div>
    </section>
  );
}

/**
 * Hero buttons. The prerendered page has the buttons for visitors, so `data-entrances` hides them from signed-in users
 * while the page loads.
 */
function HeroActions() {
  const session = useSession();
  return (
    <div className={classes.actions} data-entrances>
      {session ? (
        <LinkButton size="lg" to={paths.myAccount.href()}>
          Go to My Account
        </LinkButton>
      ) : (
        <>
          <LinkButton size="lg" to={content.trial.link.to}>
            {content.trial.link.label}
          </LinkButton>
          <LinkButton size="lg" variant="default" to={paths.register.href()}>
            Register
          </LinkButton>
        </>
      )}
    </div>
  );
}
