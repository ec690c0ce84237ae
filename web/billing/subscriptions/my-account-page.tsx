import { Button, Card, Group, SimpleGrid, Skeleton, Stack, Text, VisuallyHidden } from "@mantine/core";
import { Link } from "react-router-dom";
import { brand } from "#schema/brand.ts";
import { type AppPath, paths, schemaExplorer } from "#web/platform/paths.ts";
import { LicencesTable } from "#web/licensing/licences/licences-table.tsx";
import { GetStarted } from "#web/licensing/licences/get-started.tsx";
import { LicenceCard } from "#web/licensing/licences/licence-card.tsx";
import { SubscriptionCard } from "./subscription-card.tsx";
import { TestBuilds } from "#web/releases/software/test-builds.tsx";
import { useMyAccountQuery } from "#web/generated/graphql.ts";
import { PageLayout, Section } from "#web/ui/page-layout.tsx";

/** Most licences shown as cards. The table below lists all. */
const MAX_CARDS = 4;

/** The customer's home page: what needs attention, licences, subscription and account actions. */
export default function MyAccountPage() {
  const { data, loading, error, refetch } = useMyAccountQuery();
  const me = data?.me;
  const isRegular = me?.memberType === "REGULAR";
  const isSubscribed = me?.hasActiveSubscription === true;
  const canSubscribe = isRegular && !isSubscribed;
  const actions: [label: string, path: AppPath, isShown: boolean][] = [
    ["Update My Details", paths.updateProfile, isRegular],
    ["Change Password", paths.changePassword, true],
    ["Two-step sign-in", paths.twoStepSignIn, true],
    ["Tax Invoices", paths.taxInvoices, isRegular],
    ["Change Payment Details", paths.managePaymentDetails, isRegular && isSubscribed],
    ["Manage Subscription", paths.manageSubscription, isRegular && isSubscribed],
    ["Trial Professional", paths.trial, canSubscribe && me?.hasCompletedTrial === false],
    ["Subscribe", paths.manageSubscription, canSubscribe],
  ];

  return (
    <PageLayout
      title={paths.myAccount.title}
      lead={me ? <AccountOwner {...me} /> : loading && <Skeleton height={14} width="16rem" my={10} />}
    >
      {!me && loading && <LoadingCards />}
      {me && (
        <Group gap="xs" mb="lg" component="nav" aria-label="Quick actions">
          {actions.map(
            ([label, path, isShown]) =>
              isShown && (
                <Button key={label} component={Link} to={path.pattern} size="xs" variant="default">
                  {label}
                </Button>
              ),
          )}
        </Group>
      )}
      {me && (
        <SimpleGrid minColWidth="min(100%, 26rem)" autoFlow="auto-fit" spacing="lg" mb="lg">
          {isRegular && <GetStarted userId={me.id} licences={me.licences} canTry={!me.hasCompletedTrial} />}
          {me.licences.slice(0, MAX_CARDS).map((licence) => (
            <LicenceCard key={licence.id} licence={licence} hasInstaller={Boolean(data?.installer)} />
          ))}
          {isRegular && isSubscribed && <SubscriptionCard />}
        </SimpleGrid>
      )}
      <Section title="Licences">
        <LicencesTable
          licences={me?.licences}
          installer={data?.installer}
          error={me ? undefined : error}
          onRetry={() => void refetch()}
          emptyAction={
            canSubscribe &&
            !me.hasCompletedTrial && (
              <Text size="sm" c="dimmed">
                The free trial of Professional lasts 14 days.
              </Text>
            )
          }
        />
      </Section>
      <TestBuilds installers={data?.installers} />
      <Footnotes />
    </PageLayout>
  );
}

/** Reserves the height of the actions and cards of most customers, so that the table below stays in place. */
function LoadingCards() {
  return (
    <>
      <VisuallyHidden component="progress" aria-label="Loading your account" />
      <Group gap="xs" mb="lg">
        {["8.5rem", "8rem", "7.5rem", "6rem"].map((width) => (
          <Skeleton key={width} height={30} radius="md" width={width} />
        ))}
      </Group>
      <SimpleGrid minColWidth="min(100%, 26rem)" autoFlow="auto-fit" spacing="lg" mb="lg">
        {["licence", "subscription"].map((card) => (
          <Card key={card} withBorder padding="lg" radius="lg" mih="13rem">
            <Skeleton height={20} width="55%" mb="sm" />
            <Skeleton height={12} width="35%" mb="xl" />
            <Skeleton height={12} width="45%" />
            <Skeleton height={36} radius="md" width="75%" mt="auto" />
          </Card>
        ))}
      </SimpleGrid>
    </>
  );
}

function AccountOwner(me: { firstName: string; lastName: string; email: string }) {
  return (
    <Group gap="0 0.75rem" style={{ overflowWrap: "anywhere" }}>
      <Text span fz="inherit" fw={600} c="bright">
        {me.firstName} {me.lastName}
      </Text>
      <span>{me.email}</span>
    </Group>
  );
}

function Footnotes() {
  return (
    <Stack component="section" gap="xs" maw="46rem" mt="lg" fz="sm" c="dimmed" aria-label="About your licences">
      <p>
        <Link to={paths.activate.href()}>Activate a device by code</Link> ·{" "}
        <Link to={paths.offlineActivation.href()}>Offline activation</Link> ·{" "}
        <Link to={paths.sessions.href()}>Active sessions</Link> · <Link to={paths.yourData.href()}>Your data</Link>
        <br />
        For your own programs: <Link to={paths.personalAccessTokens.href()}>Personal access tokens</Link> ·{" "}
        <Link to={paths.webhooks.href()}>Webhooks</Link> · <Link to={paths.restApi.href()}>REST API</Link> ·{" "}
        <a href={schemaExplorer}>Schema explorer</a>
      </p>
      <p>
        Licences must not be shared, subleased, or used on government systems without our written consent. We are
        notified when a licence moves to another device.
      </p>
      <p>
        Questions about a licence? Write to{" "}
        <a href={`mailto:${brand.mailboxes.support.email}`}>{brand.mailboxes.support.email}</a>.
      </p>
    </Stack>
  );
}
