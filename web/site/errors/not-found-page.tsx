import content from "content:pages/not-found";
import { paths } from "#web/platform/paths.ts";
import { LinkButton } from "#web/ui/button.tsx";
import { ErrorPage } from "#web/ui/error-page.tsx";

/** The content page named `not-found`. */
export default function NotFoundContentPage() {
  const { heading, lead, links, html } = content;
  return (
    <ErrorPage
      scene="missing"
      title={heading}
      actions={<LinkButton to={paths.home.href()}>Go to the home page</LinkButton>}
      places={links}
    >
      <p>{lead}</p>
      {/* eslint-disable-next-line react/no-danger */}
      <div dangerouslySetInnerHTML={{ __html: html }} />
    </ErrorPage>
  );
}
