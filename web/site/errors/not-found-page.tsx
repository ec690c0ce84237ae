import content from "content:pages/not-found";
import { ErrorPage } from "#web/ui/error-page.tsx";

/** The content page named `not-found`. */
export default function NotFoundContentPage() {
  const { heading, lead, links, html } = content;
  return (
    <ErrorPage scene="missing" title={heading} places={links}>
      <p>{lead}</p>
      {/* eslint-disable-next-line react/no-danger */}
      <div dangerouslySetInnerHTML={{ __html: html }} />
    </ErrorPage>
  );
}
