import { paths } from "#web/platform/paths.ts";
import { ErrorPage } from "#web/ui/error-page.tsx";
import { LinkButton, Button } from "#web/ui/button.tsx";

/** Stands in for a page whose file is missing although the server answers and the tab has already been reloaded. */
export function UnloadedPage() {
  return (
    <ErrorPage
      scene="paused"
      title="This page didn't load"
      actions={
        <>
          <Button onClick={() => window.location.reload()}>Try again</Button>
          {/* Not a link of the router: the files it would load may be missing too. */}
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
