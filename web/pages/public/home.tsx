import { useEffect } from "react";
import { brand } from "#schema/brand.ts";
import { paths } from "#web/app/paths.ts";
import { useSession } from "#web/app/session.ts";
import { steps } from "#web/content/home.ts";
import { ConversionFigure } from "#web/features/showcase/conversion-figure.tsx";
import { LevelChart } from "#web/features/showcase/level-chart.tsx";
import { LinkButton } from "#web/ui/button.tsx";
import classes from "./home.module.css";

/** The home page. */
export default function HomePage() {
  const session = useSession();
  useEffect(() => {
    document.title = `${brand.name} · ${brand.tagline}`;
  }, []);

  return (
    <>
      <section className={classes.hero}>
        <div className={classes.heroInner}>
          <div className={classes.pitch}>
            <h1 className={classes.title} tabIndex={-1}>
              <span>Plan in one tool.</span> <span>Report in another.</span> <span>Keep the schedule.</span>
            </h1>
            <p className={classes.lead}>
              {brand.productName} carries project schedules between Microsoft project plans and Oracle XER, with the
              logic, calendars and constraints that make them schedules.
            </p>
            <div className={classes.actions}>
              {session ? (
                <LinkButton size="lg" to={paths.myAccount.href()}>
                  Go to My Account
                </LinkButton>
              ) : (
                <>
                  <LinkButton size="lg" to={paths.trial.href()}>
                    Trial Professional Now for Free
                  </LinkButton>
                  <LinkButton size="lg" variant="default" to={paths.register.href()}>
                    Register
                  </LinkButton>
                </>
              )}
            </div>
            <p className={classes.small}>14 days, every feature of Professional, no card.</p>
          </div>
          <ConversionFigure />
        </div>
      </section>

      <section className={classes.band} aria-labelledby="levels">
        <div className={classes.bandHead}>
          <h2 id="levels">Three levels, one schedule</h2>
          <p>
            Each level starts where the one before it ends. The trial gives you the whole chart, so you see what your
            own files need before you choose.
          </p>
        </div>
        <LevelChart />
      </section>

      <section className={classes.way} aria-labelledby="way">
        <div className={classes.wayInner}>
          <h2 id="way">From registration to the first conversion</h2>
          <ol className={classes.steps}>
            {steps.map((step) => (
              <li key={step.title}>
                <h3>{step.title}</h3>
                <p>{step.text}</p>
              </li>
            ))}
          </ol>
        </div>
      </section>

      <section className={classes.team} aria-labelledby="team">
        <div>
          <h2 id="team">Planning with a team?</h2>
          <p>
            Corporate, multi-user, project, commercial and enterprise licences are arranged with a person, not a
            checkout. The same goes for conversion and scheduling work you would rather hand over.
          </p>
        </div>
        <LinkButton size="lg" variant="default" href={`mailto:${brand.mailboxes.corporate.email}`}>
          Write to {brand.mailboxes.corporate.email}
        </LinkButton>
      </section>
    </>
  );
}
