import { type ComponentProps, type ComponentType, lazy, type ReactNode, Suspense } from "react";
import classes from "./error-page.module.css";
import { PageTitle } from "./page-layout.tsx";
import type { Scene, ScheduleArt as Art } from "./schedule-art.tsx";

// Ornament that few visits show. Where it can't be loaded, as when the server is away, the words stand alone.
const ScheduleArt = lazy<ComponentType<ComponentProps<typeof Art>>>(() =>
  import("./schedule-art.tsx").then(
    (file) => ({ default: file.ScheduleArt }),
    () => ({ default: () => null }),
  ),
);

/** A whole page that says what went wrong and what to do next. */
export function ErrorPage(props: { scene: Scene; title: string; children: ReactNode; actions: ReactNode }) {
  const { scene, title, children, actions } = props;
  return (
    <div className={classes.page}>
      <div className={classes.art}>
        <Suspense fallback={<div className={classes.space} />}>
          <ScheduleArt scene={scene} width={420} />
        </Suspense>
      </div>
      <div className={classes.words}>
        <PageTitle className={classes.title}>{title}</PageTitle>
        <div className={classes.text}>{children}</div>
        <div className={classes.actions}>{actions}</div>
      </div>
    </div>
  );
}
