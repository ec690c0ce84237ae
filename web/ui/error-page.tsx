import type { ReactNode } from "react";
import classes from "./error-page.module.css";
import { PageTitle } from "./page-layout.tsx";
import { ScheduleArt, type Scene } from "./schedule-art.tsx";

/** A whole page that says what went wrong and what to do next. */
export function ErrorPage(props: { scene: Scene; title: string; children: ReactNode; actions: ReactNode }) {
  const { scene, title, children, actions } = props;
  return (
    <div className={classes.page}>
      <div className={classes.art}>
        <ScheduleArt scene={scene} width={420} />
      </div>
      <div className={classes.words}>
        <PageTitle className={classes.title}>{title}</PageTitle>
        <div className={classes.text}>{children}</div>
        <div className={classes.actions}>{actions}</div>
      </div>
    </div>
  );
}
