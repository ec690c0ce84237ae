import { Component, type CSSProperties, type ReactNode, useEffect, useState } from "react";
import { useNavigate } from "react-router-dom";
import { isOffline, isServerReachable } from "#web/platform/connection.ts";
import { markReady } from "#web/platform/early-input.ts";
import { PartLoadError } from "#web/platform/load-part.ts";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { getCurrentPlace } from "#web/platform/navigator.ts";
import { paths } from "#web/platform/paths.ts";
import { reloadOncePerRelease } from "#web/platform/reload-once.ts";
import { BrokenPage, ErrorPage } from "#web/ui/error-page.tsx";
import { LinkButton, Button } from "#web/ui/button.tsx";

interface ErrorBoundaryProps {
  /** True if the error page needs its own `main`, because the shell can't be shown. */
  isOutsideShell?: boolean;
  children: ReactNode;
}

/** Shows an error page in place of a page that threw, and keeps the shell usable. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }

  override componentDidCatch(error: unknown): void {
    if (error instanceof PartLoadError) error.allowRetry();
    // Make the error page's buttons work, even if a prerendered page was never hydrated.
    markReady("page");
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    const page = error instanceof PartLoadError ? <MissingPage canRetry={error.canRetry} /> : <BrokenPage />;
    return this.props.isOutsideShell ? <main id="main">{page}</main> : page;
  }
}

/**
 * Shown when a file of the page could not be loaded. If the server doesn't respond, opens the maintenance page, which
 * returns when the connection is back. Otherwise the file was probably deleted by a new release, and the page reloads once.
 * A prerendered page keeps its content.
 */
function MissingPage({ canRetry }: { canRetry: boolean }) {
  const navigate = useNavigate();
  const [isGone, setGone] = useState(false);
  useEffect(() => {
    let isCurrent = true;
    const decide = async () => {
      const answers = !isOffline() && (await isServerReachable());
      if (!isCurrent) return;
      if (answers) return setGone(!reloadOncePerRelease());
      const state = { from: getCurrentPlace(), mustReload: !canRetry };
      return navigate(paths.maintenance.href(), { replace: true, state });
    };
    void decide();
    return () => {
      isCurrent = false;
    };
  }, [canRetry, navigate]);
  const html = getPrerenderedPage();
  if (html !== null) return <UnloadedContent html={html} isGone={isGone} />;
  return isGone ? <UnloadedPage /> : <LoadingBlock label="Loading the page" tall />;
}

const notice: CSSProperties = {
  display: "flex",
  flexWrap: "wrap",
  gap: "0.75rem 1.25rem",
  justifyContent: "center",
  alignItems: "center",
  padding: "0.875rem var(--xp-gutter)",
  background: "var(--xp-accent-soft)",
  color: "var(--xp-on-accent-soft)",
};

/** The prerendered content of a page whose files are missing. Once they are known to be gone, says so above it. */
function UnloadedContent({ html, isGone }: { html: string; isGone: boolean }) {
  return (
    <>
      {isGone && (
        <div role="alert" style={notice}>
          <p>Parts of this page didn't load, so its buttons and forms don't work. Wait a minute, then try again.</p>
          <Button onClick={() => window.location.reload()}>Try again</Button>
        </div>
      )}
      <div style={{ display: "contents" }} dangerouslySetInnerHTML={{ __html: html }} />
    </>
  );
}

/** Page shown when a page's file is missing even after the tab was reloaded and the server responds. */
function UnloadedPage() {
  return (
    <ErrorPage
      scene="paused"
      title="This page didn't load"
      actions={
        <>
          <Button onClick={() => window.location.reload()}>Try again</Button>
          {/* A full page load, because files that the router would load may also be missing. */}
          <LinkButton variant="default" href={paths.home.href()}>
            Go to the home page
          </LinkButton>
        </>
      }
    >
      <p>We may be publishing a new version of the site. Wait a minute, then try again.</p>
    </ErrorPage>
  );
}

let prerendered: { readonly path: string; readonly html: string } | null = null;

/** Keeps the content of a prerendered page, in case its scripts can't be loaded. Call it before hydration. */
export function keepPrerenderedPage(): void {
  const html = document.getElementById("main")?.innerHTML;
  prerendered = html === undefined ? null : { path: window.location.pathname, html };
}

/** Returns the prerendered content of the current page as HTML, or null if the page wasn't prerendered. */
function getPrerenderedPage(): string | null {
  return prerendered?.path === window.location.pathname ? prerendered.html : null;
}
