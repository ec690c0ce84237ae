import { paths } from "#web/platform/paths.ts";
import { ErrorPage } from "#web/public-ui/error-page.tsx";
import { LinkButton, Button } from "#web/public-ui/button.tsx";

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
