import { type ReactNode, useEffect, useRef } from "react";
import classes from "./message-state.module.css";
import { ScheduleArt } from "#web/ui/pictures/schedule-art.tsx";

/** Replaces a form after it has been submitted and takes the focus. `children` say what to do next. */
export function DoneState({ message, children }: { message: string; children?: ReactNode }) {
  const sentence = useRef<HTMLParagraphElement>(null);
  useEffect(() => sentence.current?.focus(), []);
  return (
    <div className={classes.state} data-done="true">
      <ScheduleArt scene="done" width={168} />
      <p ref={sentence} className={classes.message} tabIndex={-1}>
        {message}
      </p>
      {children}
    </div>
  );
}
