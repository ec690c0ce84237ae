import { type ReactNode, Suspense, useEffect, useState } from "react";
import { Link } from "react-router-dom";
import classes from "./error-page.module.css";
import { PageTitle } from "./page-layout.tsx";
import { ScheduleStrip } from "./schedule-strip.tsx";
import { LazyArt } from "./lazy-art.ts";
import type { Scene } from "./schedule-art.tsx";

export interface ErrorPageProps {
  scene: Scene;
  title: string;
  children: ReactNode;
  actions: ReactNode;
  /** Pages that may be what was looked for. */
  places?: readonly { readonly label: string; readonly to: string }[];
}

/** A whole page that says what went wrong and what to do next. */
export function ErrorPage({ scene, title, children, actions, places }: ErrorPageProps) {
  return (
    <div className={classes.ground}>
      <div className={classes.page}>
        <div className={classes.art}>
          <Art scene={scene} />
        </div>
        <div className={classes.words}>
          <ScheduleStrip />
          <PageTitle className={classes.title}>{title}</PageTitle>
          <div className={classes.text}>{children}</div>
          <div className={classes.actions}>{actions}</div>
          {places && (
            <ul className={classes.places}>
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

/** Drawn in the browser alone: the HTML of a page brings no styles for what loads later. */
function Art({ scene }: { scene: Scene }) {
  const [isThere, setThere] = useState(false);
  useEffect(() => setThere(true), []);
  const space = <div className={classes.space} />;
  return isThere ? (
    <Suspense fallback={space}>
      <LazyArt scene={scene} width={420} />
    </Suspense>
  ) : (
    space
  );
}
