import { type ReactNode, useEffect, useRef } from "react";
import classes from "./message-state.module.css";
import { ScheduleArt } from "#web/ui/pictures/schedule-art.tsx";
import { Button } from "./button.tsx";

/** A message in place of an empty list. */
export function EmptyState({ message, children }: { message: string; children?: ReactNode }) {
  return (
    <div className={classes.state} data-break="anywhere">
      <ScheduleArt scene="empty" width={168} />
      <p className={classes.message}>{message}</p>
      {children}
    </div>
  );
}

/** Loads content again. A failure is shown in its place, so it isn't reported as an unexpected one. */
const retry = (load: () => unknown) => void Promise.resolve(load()).catch(() => undefined);

/** Replaces content that could not be loaded and retries when the browser is online again. `children` suggest other next steps. */
export function ErrorState(props: { message: string; onRetry?: () => unknown; children?: ReactNode }) {
  const { message, onRetry, children } = props;
  useEffect(() => {
    if (!onRetry) return undefined;
    const retryOnline = () => retry(onRetry);
    window.addEventListener("online", retryOnline);
    return () => window.removeEventListener("online", retryOnline);
  }, [onRetry]);
  return (
    <div className={classes.state} data-break="anywhere" role="alert">
      <ScheduleArt scene="broken" width={168} />
      <p className={classes.message}>{message}</p>
      {onRetry && (
        <Button
          variant="default"
          onClick={({ currentTarget }) => {
            // The button disappears while the content loads, and would take the focus to the top of the document.
            const place = currentTarget.closest<HTMLElement>("[role=dialog]") ?? document.getElementById("main");
            place?.focus({ preventScroll: true });
            retry(onRetry);
          }}
        >
          Try again
        </Button>
      )}
      {children}
    </div>
  );
}

/** Replaces a form after it has been submitted and takes the focus. `children` say what to do next. */
export function DoneState({ message, children }: { message: string; children?: ReactNode }) {
  const sentence = useRef<HTMLParagraphElement>(null);
  useEffect(() => sentence.current?.focus(), []);
  return (
    <div className={classes.state} data-break="anywhere" data-done="true">
      <ScheduleArt scene="done" width={168} />
      <p ref={sentence} className={classes.message} tabIndex={-1}>
        {message}
      </p>
      {children}
    </div>
  );
}
