import { Component, type ComponentType, createElement, type ReactNode, Suspense } from "react";
import { Button } from "./button.tsx";
import { PartLoadError, retryingLazy } from "#web/platform/load-part.ts";
import { ErrorState } from "./message-state.tsx";
import { notify } from "#web/platform/notifications.ts";

/** Replacement for a component that could not be loaded. */
export type LoadFailureDisplay =
  /** A message and a button in place of the component. */
  | "message"
  /** A notification, for example for a dialog. */
  | "notification"
  /** Nothing, for example for a decoration. */
  | "nothing";

const WHEN_OFFLINE = "You're offline. This part of the page loads when the connection is back.";
const WHEN_MISSING = "We couldn't load this part of the page. Reload the page and try again.";

/**
 * Creates a component that loads its file when it is first shown. If the file can't be loaded, the rest of the page stays
 * usable, and the component loads when the browser is online again.
 * @param loading what to show meanwhile; without it, the component needs a `Suspense` around it
 */
export function lazyPart<TProps extends object>(
  load: () => Promise<{ default: ComponentType<TProps> }>,
  whenMissing: LoadFailureDisplay,
  loading?: ReactNode,
): (props: TProps & { onMissing?: () => void }) => ReactNode {
  const current = retryingLazy(load);
  const Current = (props: TProps) => createElement(current() as ComponentType<TProps>, props);
  return function LazyPart({ onMissing, ...props }) {
    const part = (
      <PartBoundary whenMissing={whenMissing} onMissing={onMissing}>
        <Current {...(props as unknown as TProps)} />
      </PartBoundary>
    );
    return loading === undefined ? part : <Suspense fallback={loading}>{part}</Suspense>;
  };
}

interface PartBoundaryProps {
  whenMissing: LoadFailureDisplay;
  onMissing?: (() => void) | undefined;
  children: ReactNode;
}

class PartBoundary extends Component<PartBoundaryProps, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error): { error: Error } {
    return { error };
  }

  override componentDidMount(): void {
    window.addEventListener("online", this.retry);
  }

  override componentDidCatch(error: Error): void {
    if (!(error instanceof PartLoadError)) return;
    error.allowRetry();
    if (this.props.whenMissing === "notification") notify.error(messageFor(error));
    this.props.onMissing?.();
  }

  override componentWillUnmount(): void {
    window.removeEventListener("online", this.retry);
  }

  retry = (): void => {
    const { error } = this.state;
    if (error instanceof PartLoadError && error.canRetry) this.setState({ error: null });
  };

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    // Only handle missing files here. The page handles all other errors.
    if (!(error instanceof PartLoadError)) throw error;
    if (this.props.whenMissing !== "message") return null;
    if (error.canRetry) return <ErrorState message={messageFor(error)} onRetry={this.retry} />;
    return (
      <ErrorState message={messageFor(error)}>
        <Button variant="default" onClick={() => window.location.reload()}>
          Reload
        </Button>
      </ErrorState>
    );
  }
}

/** Returns what a user can do about a part that could not be loaded. */
export function messageFor({ canRetry }: PartLoadError): string {
  return canRetry ? WHEN_OFFLINE : WHEN_MISSING;
}
