import { IconChevronLeft, IconChevronRight, IconPlayerPauseFilled, IconPlayerPlayFilled } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { IconButton } from "#web/ui/button.tsx";
import type { Rotation } from "./use-rotation.ts";
import classes from "./rotation-controls.module.css";

interface RotationControlsProps {
  rotation: Rotation;
  what: string;
  one: string;
  children?: ReactNode;
}

/**
 * Buttons Pause or Play, Previous and Next, with `children` in between. `what` and `one` complete the labels: "Pause
 * slides", "Next slide".
 */
export function RotationControls(props: RotationControlsProps) {
  const {
    rotation: { isPlaying, isStill, toggle, previous, next },
    what,
    one,
    children,
  } = props;
  return (
    <div className={classes.controls} data-needs-scripts data-screen-only>
      {!isStill && (
        <IconButton
          className={`${classes.button} ${classes.pause}`}
          label={`${isPlaying ? "Pause" : "Play"} ${what}`}
          onClick={toggle}
        >
          {isPlaying ? <IconPlayerPauseFilled size={16} /> : <IconPlayerPlayFilled size={16} />}
        </IconButton>
      )}
      {children}
      <IconButton className={classes.button} label={`Previous ${one}`} onClick={previous}>
        <IconChevronLeft size={20} />
      </IconButton>
      <IconButton className={classes.button} label={`Next ${one}`} onClick={next}>
        <IconChevronRight size={20} />
      </IconButton>
    </div>
  );
}
