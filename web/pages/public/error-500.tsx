import { brand } from "#schema/brand.ts";
import { paths } from "#web/platform/paths.ts";
import { ErrorPage } from "#web/ui/error-page.tsx";
import { LinkButton, Button } from "#web/ui/button.tsx";

/** Shows that something broke on our side, also for a page that threw. */
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
        Joking aside: the fault is ours. Try once more, and if it happens again write to{" "}
        <a href={`mailto:${brand.mailboxes.support.email}`}>{brand.mailboxes.support.email}</a> and tell us what you
        were doing.
      </p>
    </ErrorPage>
  );
}
