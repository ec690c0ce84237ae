import { paths } from "#web/platform/paths.ts";
import { ErrorPage } from "#web/ui/error-page.tsx";
import { MailLink } from "#web/ui/mail-link.tsx";

/** Hard-coded, because this page must not load content. The content page with the same purpose is `not-found.tsx`. */
const places = [paths.products, paths.trialAndSubscribe, paths.faqs, paths.contactUs].map((path) => ({
  label: path.title,
  to: path.href(),
}));

/** Page shown for unknown addresses. */
export default function NotFoundPage() {
  return (
    <ErrorPage scene="missing" title={paths.error404.title} places={places}>
      <p>Damn, we can't find what you're looking for.</p>
      <p>
        The page may have moved, or the address may contain a typing error. If you came here from a link on our site,
        please write to <MailLink to="support" />.
      </p>
    </ErrorPage>
  );
}
