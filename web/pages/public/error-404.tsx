import content from "content:pages/not-found";
import { paths } from "#web/app/paths.ts";
import { PageLinks } from "#web/features/public-page/page-links.tsx";
import { LinkButton } from "#web/ui/button.tsx";
import { ErrorPage } from "#web/ui/error-page.tsx";
import { Prose } from "#web/ui/prose.tsx";

/** The 404 page, every unknown address, and the page of the content called `not-found` (spec, public §2). */
export function NotFoundPage() {
  const { heading, lead, links, html } = content;
  return (
    <ErrorPage
      scene="missing"
      title={heading}
      actions={
        <>
          <LinkButton to={paths.home.href()}>Go to the home page</LinkButton>
          <PageLinks links={links} />
        </>
      }
    >
      <p>
        <strong>Damn, we can't find what you're looking for.</strong>
      </p>
      <p>{lead}</p>
      <Prose html={html} />
    </ErrorPage>
  );
}
