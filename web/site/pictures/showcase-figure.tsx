import { IconPlayerPause, IconPlayerPlay } from "@tabler/icons-react";
import { type ComponentType, useRef, useState } from "react";
import { Button } from "#web/ui/button.tsx";
import type { PictureProps } from "#web/ui/pictures/parts.tsx";
import layout from "#web/ui/layout.module.css";
import classes from "./showcase-figure.module.css";

interface ShowcaseFigureProps {
  title: string;
  text: string;
  picture: ComponentType<PictureProps>;
}

/** A short animation. Shows the finished picture until Play is pressed. Users who prefer reduced motion see the picture only. */
export function ShowcaseFigure({ title, text, picture: Shown }: ShowcaseFigureProps) {
  const [state, setState] = useState<"still" | "playing" | "paused">("still");
  const stage = useRef<HTMLDivElement>(null);
  const isPlaying = state === "playing";
  const action = isPlaying ? "Pause" : state === "paused" ? "Resume" : "Play";

  function playOrPause() {
    for (const step of stage.current?.querySelectorAll<SVGElement>("[data-at]") ?? [])
      step.style.setProperty("--at", step.dataset.at ?? "0");
    setState(isPlaying ? "paused" : "playing");
  }

  return (
    <figure className={classes.figure}>
      <div ref={stage} className={`${layout.framed} ${classes.stage}`} data-state={state}>
        <Shown label={`${title}: ${text}`} />
        <i className={classes.played} onAnimationEnd={() => setState("still")} />
      </div>
      <figcaption className={classes.caption}>
        <span>
          <strong>{title}</strong>
          {text}
        </span>
        <Button
          variant="default"
          size="sm"
          aria-label={`${action}: ${title}`}
          leftSection={isPlaying ? <IconPlayerPause size={16} /> : <IconPlayerPlay size={16} />}
          data-needs-scripts
          data-screen-only
          onClick={playOrPause}
        >
          {action}
        </Button>
      </figcaption>
    </figure>
  );
}
