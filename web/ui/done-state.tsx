import { type ReactNode, useEffect, useRef } from "react";
import classes from "./message-state.module.css";
import { ScheduleArt } from "./schedule-art.tsx";

/** Takes a form's place once its work is done, and the focus with it; `children` say what comes next. */
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
