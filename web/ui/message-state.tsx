import { type ReactNode, Suspense } from "react";
import classes from "./message-state.module.css";
import { LazyArt } from "./lazy-art.ts";
import { Button } from "./button.tsx";

/** Stands where rows or cards would, when there are none. */
export function EmptyState({ message, children }: { message: string; children?: ReactNode }) {
  return (
    <div className={classes.state}>
      <Art scene="empty" />
      <p className={classes.message}>{message}</p>
      {children}
    </div>
  );
}

/** Stands where content would, when it could not be had; `children` say what to do instead of trying again. */
export function ErrorState(props: { message: string; onRetry?: () => void; children?: ReactNode }) {
  const { message, onRetry, children } = props;
  return (
    <div className={classes.state} role="alert">
      <Art scene="broken" />
      <p className={classes.message}>{message}</p>
      {onRetry && (
        <Button variant="default" onClick={onRetry}>
          Try Again
        </Button>
      )}
      {children}
    </div>
  );
}

function Art({ scene }: { scene: "empty" | "broken" }) {
  return (
    <Suspense fallback={<span className={classes.space} />}>
      <LazyArt scene={scene} width={168} />
    </Suspense>
  );
}
