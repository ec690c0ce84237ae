import { IconPlayerPause, IconPlayerPlay } from "@tabler/icons-react";
import { type ComponentType, useState } from "react";
import { Button } from "#web/ui/button.tsx";
import type { PictureProps } from "./parts.tsx";
import classes from "./showcase-figure.module.css";

/** A short animation. Shows the finished picture until Play is pressed. Users who prefer reduced motion see the picture only. */
export function ShowcaseFigure({
  title,
  text,
  picture: Shown,
  label = `${title}: ${text}`,
}: {
  title: string;
  text: string;
  picture: ComponentType<PictureProps>;
  /** Accessible description, if title and text are not enough. */
  label?: string;
}) {
  const [state, setState] = useState<"still" | "playing" | "paused">("still");
  const isPlaying = state === "playing";
  return (
    <figure className={classes.figure}>
      <div className={classes.stage} data-state={state}>
        <Shown label={label} />
        <span className={classes.track}>
          <i className={classes.played} onAnimationEnd={() => setState("still")} />
        </span>
      </div>
      <figcaption className={classes.caption}>
        <span>
          <strong>{title}</strong>
          {text}
        </span>
        <span className={classes.control}>
          <Button
            variant="default"
            size="sm"
            leftSection={isPlaying ? <IconPlayerPause size={16} /> : <IconPlayerPlay size={16} />}
            onClick={() => setState(isPlaying ? "paused" : "playing")}
          >
            {isPlaying ? "Pause" : state === "paused" ? "Resume" : "Play"}
            <span className={classes.hidden}>: {title}</span>
          </Button>
        </span>
      </figcaption>
    </figure>
  );
}
