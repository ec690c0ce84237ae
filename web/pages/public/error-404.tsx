import { brand } from "#schema/brand.ts";
import { paths } from "#web/platform/paths.ts";
import { LinkButton } from "#web/ui/button.tsx";
import { ErrorPage } from "#web/ui/error-page.tsx";

/** Its own few words; the content's page of this name is `not-found.tsx`. */
const places = [
  { label: "Product", to: paths.products.href() },
  { label: "Trial & Subscribe", to: paths.trialAndSubscribe.href() },
  { label: "FAQs", to: paths.faqs.href() },
  { label: "Contact", to: paths.contactUs.href() },
];

/** The 404 page and every unknown address. */
export default function NotFoundPage() {
  return (
    <ErrorPage
      scene="missing"
      title="Page Not Found"
      actions={<LinkButton to={paths.home.href()}>Go to the home page</LinkButton>}
      places={places}
    >
      <p>Damn, we can't find what you're looking for.</p>
      <p>
        The page may have moved, or the address may have a typing slip. If a link of ours brought you here, please tell{" "}
        <a href={`mailto:${brand.mailboxes.support.email}`}>{brand.mailboxes.support.email}</a>.
      </p>
    </ErrorPage>
  );
}
