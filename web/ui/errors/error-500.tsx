import { paths } from "#web/platform/paths.ts";
import { ErrorPage } from "#web/ui/error-page.tsx";
import { LinkButton, Button } from "#web/ui/button.tsx";
import { MailLink } from "#web/ui/mail-link.tsx";

/** Page shown after an unexpected error, including when a page fails to render. */
export function BrokenPage() {
  return (
    <ErrorPage
      scene="broken"
      title="Good on ya, you broke it!"
      actions={
        <>
          <Button onClick={() => window.location.reload()}>Try again</Button>
          <LinkButton variant="default" to={paths.home.href()}>
            Go to the home page
          </LinkButton>
        </>
      }
    >
      <p>
        Joking aside, this is our problem. Please try again. If it happens again, write to <MailLink to="support" /> and
        tell us what you were doing.
      </p>
    </ErrorPage>
  );
}
