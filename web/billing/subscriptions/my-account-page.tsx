import { Button, Card, Group, SimpleGrid, Skeleton, Stack, Text, VisuallyHidden } from "@mantine/core";
import { Link } from "react-router-dom";
import { type NextStep, NextStepCard } from "#web/billing/next-step/next-step-card.tsx";
import { type AppPath, paths } from "#web/platform/paths.ts";
import { LicencesTable } from "#web/licensing/licences/licences-table.tsx";
import { LicenceCard } from "#web/licensing/licences/licence-card.tsx";
import { SubscriptionCard } from "./subscription-card.tsx";
import { TestBuilds } from "#web/releases/software/test-builds.tsx";
import { type MyAccountQuery, useMyAccountQuery, useNextStepQuery } from "#web/generated/graphql.ts";
import { PageLayout, Section } from "#web/ui/page-layout.tsx";
import { StepMark } from "#web/ui/step-mark.tsx";

/** Most licences shown as cards. The table below lists all. */
const MAX_CARDS = 4;

type Me = MyAccountQuery["me"];

/** The customer's home page: the next step, licences, subscription and account actions. */
export default function MyAccountPage() {
  const { data, loading, error, refetch } = useMyAccountQuery();
  const { data: next, error: nextError } = useNextStepQuery();
  const isReady = next !== undefined || nextError !== undefined;
  const me = isReady ? data?.me : undefined;
  const step = next?.nextStep ?? null;
  const isRegular = me?.memberType === "REGULAR";

  return (
    <PageLayout
      title={paths.myAccount.title}
      lead={
        me ? (
          <Group gap="0 0.75rem" data-break="anywhere">
            <Text span fz="inherit" fw={600} c="bright">
              {me.firstName} {me.lastName}
            </Text>
            <span>{me.email}</span>
          </Group>
        ) : (
          loading && <Skeleton height={14} width="16rem" my={10} />
        )
      }
    >
      {!me && !error && <LoadingCards />}
      {me && (
        <>
          {next && (
            <NextStepCard step={step}>
              {isRegular && step && <GetStarted step={step} licences={me.licences} />}
            </NextStepCard>
          )}
          <AccountActions me={me} step={step} />
          <SimpleGrid minColWidth="min(100%, 26rem)" autoFlow="auto-fit" spacing="lg" mb="lg">
            {me.licences.slice(0, MAX_CARDS).map((licence) => (
              <LicenceCard
                key={licence.id}
                licence={licence}
                hasInstaller={Boolean(data?.installer)}
                hasOverdueInvoice={step?.kind === "PAY_OVERDUE_INVOICE"}
              />
            ))}
            {isRegular && me.hasActiveSubscription && <SubscriptionCard />}
          </SimpleGrid>
        </>
      )}
      <Section title="Licences">
        <LicencesTable
          licences={me?.licences}
          installer={data?.installer}
          error={data ? undefined : error}
          onRetry={refetch}
        />
      </Section>
      <TestBuilds installers={data?.installers} />
      <Text component="section" maw="46rem" mt="lg" size="sm" c="dimmed" aria-label="About your licences">
        Licences must not be shared, subleased, or used on government systems without our written consent. We are
        notified when a licence moves to another device.
      </Text>
    </PageLayout>
  );
}

/** The actions of the account. The next step's own action isn't repeated. */
function AccountActions({ me, step }: { me: Me; step: NextStep | null }) {
  const isRegular = me.memberType === "REGULAR";
  const isSubscribed = isRegular && me.hasActiveSubscription;
  const canSubscribe = isRegular && !me.hasActiveSubscription;
  const actions: [label: string, path: AppPath, isShown: boolean][] = [
    ["Update My Details", paths.updateProfile, isRegular],
    ["Change Password", paths.changePassword, true],
    ["Tax Invoices", paths.taxInvoices, isRegular],
    ["Change Payment Details", paths.managePaymentDetails, isSubscribed],
    ["Manage Subscription", paths.manageSubscription, isSubscribed],
    ["Trial Professional", paths.trial, canSubscribe && !me.hasCompletedTrial && step?.kind !== "START_TRIAL"],
    ["Subscribe", paths.manageSubscription, canSubscribe && step?.kind !== "SUBSCRIBE"],
  ];
  return (
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
  );
}

/** Reserves the height of the next step, actions and cards of most customers, so that the table below stays in place. */
function LoadingCards() {
  return (
    <>
      <VisuallyHidden component="progress" aria-label="Loading your account" />
      <Card padding="lg" mb="lg">
        <Stack gap="sm">
          <Skeleton height={12} width="6rem" />
          <Skeleton height={20} width="min(100%, 20rem)" />
          <Skeleton height={12} width="min(100%, 28rem)" />
        </Stack>
      </Card>
      <Group gap="xs" mb="lg">
        {["8.5rem", "8rem", "7.5rem", "6rem"].map((width) => (
          <Skeleton key={width} height={30} radius="md" width={width} />
        ))}
      </Group>
      <SimpleGrid minColWidth="min(100%, 26rem)" autoFlow="auto-fit" spacing="lg" mb="lg">
        {["licence", "subscription"].map((card) => (
          <Card key={card} padding="lg" mih="13rem">
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

const steps = [
  "Confirm your email",
  "Start the trial or choose a plan",
  "Download the add-in",
  "Activate it with your licence code",
  "Convert your first schedule",
] as const;

/** Shows a new customer how far they are on the way to the first conversion, until it is done. */
function GetStarted({ step: { kind }, licences }: { step: NextStep; licences: Me["licences"] }) {
  const isInstalling = kind === "INSTALL_ADD_IN" && licences.every(({ usageCount }) => usageCount === 0);
  const current = licences.length === 0 ? 1 : isInstalling ? 2 : kind === "CONVERT_SCHEDULE" ? 4 : null;
  if (current === null) return null;
  return (
    <section aria-label="Get started">
      <Stack component="ol" gap="xs" m={0} p={0} mt="lg">
        {steps.map((label, index) => {
          const distance = index - current;
          const state = distance < 0 ? "done" : distance === 0 ? "current" : "open";
          return (
            <Group
              key={label}
              component="li"
              gap="sm"
              wrap="nowrap"
              maw="30rem"
              aria-current={state === "current" ? "step" : undefined}
            >
              <StepMark number={index + 1} state={state} />
              <Text fw={state === "current" ? 620 : 450} c={state === "done" ? "dimmed" : undefined}>
                {label}
              </Text>
              {state === "done" && (
                <Text size="sm" c="dimmed" ms="auto">
                  Done
                </Text>
              )}
            </Group>
          );
        })}
      </Stack>
    </section>
  );
}
