import { paths } from "#web/platform/paths.ts";
import { ErrorPage } from "#web/ui/error-page.tsx";
import { LinkButton, Button } from "#web/ui/button.tsx";
import classes from "./error-unloaded.module.css";

/** The prerendered content of a page whose files are missing. Once they are known to be gone, says so above it. */
export function UnloadedContent({ html, isGone }: { html: string; isGone: boolean }) {
  return (
    <>
      {isGone && (
        <div role="alert" className={classes.notice}>
          <p>Parts of this page didn't load, so its buttons and forms don't work. Wait a minute, then try again.</p>
          <Button onClick={() => window.location.reload()}>Try again</Button>
        </div>
      )}
      <div className={classes.content} dangerouslySetInnerHTML={{ __html: html }} />
    </>
  );
}

/** Page shown when a page's file is missing even after the tab was reloaded and the server responds. */
export function UnloadedPage() {
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
