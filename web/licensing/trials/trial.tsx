import { Group, Stack, Text, Title } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { clearTrialIntent, hasAcceptedTrial } from "#web/platform/landing.ts";
import {
  type StartTrialMutation,
  type TrialEligibilityQuery,
  useStartTrialMutation,
  useTrialEligibilityQuery,
} from "#web/generated/graphql.ts";
import { TrialForm } from "./trial-form.tsx";
import { clearTrialStatus, type TrialStatus } from "./trial-status.ts";
import { TrialLeft } from "./trial-left.tsx";
import { TrialWelcome } from "./trial-welcome.tsx";
import { brand } from "#schema/brand.ts";
import { paths } from "#web/platform/paths.ts";
import { notify } from "#web/platform/notifications.ts";
import { LinkButton } from "#web/ui/button.tsx";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { Loaded } from "#web/ui/loaded.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Trial page. This address is public and remembers that a signed-out visitor wants a trial. */
export default function TryPage() {
  return (
    <PageLayout title={paths.trial.title} width="form" card>
      <Trial />
    </PageLayout>
  );
}

const messages = {
  completed:
    "Sorry, you have already completed a trial. If you would like to request a trial extension, please contact us.",
  subscribed:
    "Sorry, you have an existing subscription so you can no longer complete a trial. Please contact us if you require assistance.",
};

type TrialLicence = TrialEligibilityQuery["trialEligibility"]["licence"];

/** Explains why the customer can't start a trial, and the next step. */
function TrialRefusal(props: {
  reason: keyof typeof messages;
  /** Trial licence of this account. */
  licence: TrialLicence;
}) {
  const { reason, licence } = props;
  const { sales } = brand.mailboxes;
  return (
    <Stack align="flex-start" c="dimmed">
      <Text fw={560} c="bright">
        {messages[reason]}
      </Text>
      {licence?.status === "ACTIVE" && licence.usageRemaining === 0 && (
        <p>You have used all {licence.usageLimit} conversions in your trial.</p>
      )}
      <p>
        Contact us at <a href={`mailto:${sales.email}`}>{sales.email}</a>.
      </p>
      <LinkButton to={paths.myAccount.href()}>Go to My Account</LinkButton>
    </Stack>
  );
}

/** Shows the trial form, the active trial, or the reason why no trial can be started. */
function Trial() {
  const query = useTrialEligibilityQuery({ fetchPolicy: "network-only" });
  const { data } = query;
  const [started, setStarted] = useState<StartTrialMutation["startTrial"] | null>(null);
  const [startsNow, setStartsNow] = useState(hasAcceptedTrial);
  useEffect(() => clearTrialIntent(), []);

  function start(licence: StartTrialMutation["startTrial"]) {
    clearTrialStatus();
    setStarted(licence);
  }

  if (started) return <TrialWelcome licence={started} installer={data?.installer ?? null} />;
  if (!data)
    return (
      <Loaded
        query={query}
        failure="Unable to check if you are eligible to avail the trial."
        loading="Checking your trial"
      />
    );
  const { hasCompletedTrial, hasActiveSubscription, daysLeft, licence } = data.trialEligibility;
  if (daysLeft !== null) return <TrialRunning trialStatus={data.trialEligibility} />;
  if (hasCompletedTrial) return <TrialRefusal reason="completed" licence={licence} />;
  if (hasActiveSubscription) return <TrialRefusal reason="subscribed" licence={null} />;
  if (startsNow) return <StartNow onStarted={start} onFailed={() => setStartsNow(false)} />;
  return <TrialForm onStarted={start} />;
}

/** Starts the trial of a customer who accepted its terms at registration. */
function StartNow(props: { onStarted: (licence: StartTrialMutation["startTrial"]) => void; onFailed: () => void }) {
  const [startTrial] = useStartTrialMutation();
  const isSent = useRef(false);
  const { onStarted, onFailed } = props;
  useEffect(() => {
    if (isSent.current) return;
    isSent.current = true;
    startTrial({ variables: { acceptedTheTerms: true } }).then(
      ({ data }) => (data ? onStarted(data.startTrial) : onFailed()),
      (error: unknown) => {
        notify.failure(error, "Unable to create the trial.");
        onFailed();
      },
    );
  }, [startTrial, onStarted, onFailed]);
  return <LoadingBlock label="Starting your trial" />;
}

/** Shows the days and conversions left in an active trial. */
function TrialRunning({ trialStatus }: { trialStatus: Pick<TrialStatus, "daysLeft" | "licence"> }) {
  return (
    <Stack gap="sm">
      <Title order={2}>Your trial is running</Title>
      <Text fw={560}>
        <TrialLeft trialStatus={trialStatus} />
      </Text>
      <Text c="dimmed">Your licence code and the download are in My Account.</Text>
      <Group gap="sm" mt="xs">
        <LinkButton to={paths.myAccount.href()}>Go to My Account</LinkButton>
        <LinkButton to={paths.manageSubscription.href()} variant="default">
          Subscribe
        </LinkButton>
      </Group>
    </Stack>
  );
}
