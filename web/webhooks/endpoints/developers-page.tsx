import { Link } from "react-router-dom";
import { PersonalAccessTokens } from "#web/access/personal-access-tokens/personal-access-tokens.tsx";
import { paths, schemaExplorer } from "#web/platform/paths.ts";
import { PageLayout, Section } from "#web/ui/page-layout.tsx";
import { EndpointsTable } from "./endpoints-table.tsx";

/** Page for programs that use the API: tokens, webhooks and documentation, for customers and admins. */
export default function DevelopersPage() {
  return (
    <PageLayout
      title={paths.developers.title}
      lead={
        <>
          Tokens and webhooks for your own programs. See the <Link to={paths.restApi.href()}>REST API</Link> and the{" "}
          <a href={schemaExplorer}>Schema explorer</a>.
        </>
      }
    >
      <Section title="Personal access tokens">
        <PersonalAccessTokens />
      </Section>
      <Section title="Webhooks">
        <EndpointsTable />
      </Section>
    </PageLayout>
  );
}
