import { useMyAccountQuery } from "#web/generated/graphql.ts";
import { LicencesTable } from "./licences-table.tsx";
import { paths } from "#web/platform/paths.ts";
import { LinkButton } from "#web/ui/button.tsx";
import { PageLayout, Section } from "#web/ui/page-layout.tsx";

/** Page with the customer's licences and the ways to activate a device without typing the licence code. */
export default function LicencesPage() {
  const { data, error, refetch } = useMyAccountQuery();
  const me = data?.me;
  return (
    <PageLayout
      title={paths.licences.title}
      lead="Your licences, their devices and their history."
      actions={
        <>
          <LinkButton to={paths.offlineActivation.href()} variant="default">
            Offline activation
          </LinkButton>
          <LinkButton to={paths.activate.href()} variant="default">
            Activate a device by code
          </LinkButton>
        </>
      }
    >
      <Section title="Your licences">
        <LicencesTable
          licences={me?.licences}
          installer={data?.installer}
          error={me ? undefined : error}
          onRetry={refetch}
        />
      </Section>
    </PageLayout>
  );
}
