import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import layout from "./layout.module.css";
import hero from "./page-hero.module.css";
import { PageTitle } from "./page-layout.tsx";
import { ScheduleStrip } from "#web/ui/pictures/schedule-strip.tsx";
import { type Scene, ScheduleArt } from "#web/ui/pictures/schedule-art.tsx";
import { paths } from "#web/platform/paths.ts";
import { LinkButton, Button } from "./button.tsx";
import { MailLink } from "./mail-link.tsx";

export interface ErrorPageProps {
  scene: Scene;
  title: string;
  children: ReactNode;
  /** Default a link to the home page. */
  actions?: ReactNode;
  /** Links to pages that the user may have been looking for. */
  places?: readonly { readonly label: string; readonly to: string }[];
}

/** A full-page error. Part of the entry bundle, so it works even when no other file can be loaded. */
export function ErrorPage({ scene, title, children, actions = <HomeLink />, places }: ErrorPageProps) {
  return (
    <div className={hero.hero} style={{ display: "flex", flex: 1, border: 0 }}>
      <div className={hero.inner} style={{ flex: 1, alignContent: "center", width: "100%" }}>
        <div className={hero.art}>
          <ScheduleArt scene={scene} width={420} />
        </div>
        <div>
          <ScheduleStrip />
          <PageTitle className={hero.title}>{title}</PageTitle>
          <div className={hero.lead} style={{ display: "grid", gap: "0.75rem" }}>
            {children}
          </div>
          <div className={`${layout.actions} ${hero.actions}`}>{actions}</div>
          {places && (
            <ul className={hero.places}>
              {places.map(({ label, to }) => (
                <li key={to}>
                  <Link to={to}>{label}</Link>
                </li>
              ))}
            </ul>
          )}
        </div>
      </div>
    </div>
  );
}

/** A button that leads to the home page. */
export function HomeLink({ variant }: { variant?: "default" }) {
  return (
    <LinkButton variant={variant} to={paths.home.href()}>
      Go to the home page
    </LinkButton>
  );
}

/** Page shown after an unexpected error, including when a page fails to render. */
export function BrokenPage() {
  return (
    <ErrorPage
      scene="broken"
      title={paths.error500.title}
      actions={
        <>
          <Button onClick={() => window.location.reload()}>Try again</Button>
          <HomeLink variant="default" />
        </>
      }
    >
      <p>
        Joking aside, this is our problem. Please try again. If it happens again, write to <MailLink to="support" /> and
        tell us what you were doing.
      </p>
    </ErrorPage>
  );
}
