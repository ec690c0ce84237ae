import { paths } from "#web/platform/paths.ts";
import { ErrorPage } from "#web/ui/error-page.tsx";
import { MailLink } from "#web/ui/mail-link.tsx";

/** Page shown when the API or an access rule denies access. */
export default function AccessDeniedPage() {
  return (
    <ErrorPage scene="barred" title={paths.error403.title}>
      <p>
        <strong>Unable to access page.</strong>
      </p>
      <p>
        Your account doesn't have access to this page. If you think it should, write to <MailLink to="support" />.
      </p>
    </ErrorPage>
  );
}
