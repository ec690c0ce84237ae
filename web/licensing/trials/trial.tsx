import { Group, Stack, Text, Title, List, ThemeIcon, Divider } from "@mantine/core";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { Link } from "react-router-dom";
import { clearTrialIntent, hasAcceptedTrial } from "#web/platform/landing.ts";
import {
  type StartTrialMutation,
  type TrialEligibilityQuery,
  useStartTrialMutation,
  useTrialEligibilityQuery,
} from "#web/generated/graphql.ts";
import { clearTrialStatus, type TrialStatus } from "./trial-status.ts";
import { TrialLeft } from "./trial-status-box.tsx";
import { brand } from "#schema/brand.ts";
import { formatNumber } from "#schema/numbers.ts";
import { trialRefusals, trialTerms } from "#schema/product-level.ts";
import { rememberFocus } from "#web/platform/focus.ts";
import { paths } from "#web/platform/paths.ts";
import { notify } from "#web/platform/notifications.ts";
import { getErrorCode } from "#web/platform/server-error.ts";
import { LinkButton } from "#web/ui/button.tsx";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { Loaded } from "#web/ui/loaded.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";
import { IconCheck, IconDownload } from "@tabler/icons-react";
import { AcceptButton } from "#web/ui/form/accept-button.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { FormActions, SubmitButton } from "#web/ui/form/form-parts.tsx";
import { formatInstaller } from "#web/releases/software/format-installer.ts";
import { LICENCE_CODE_COPIED, LicenceCode } from "#web/licensing/licences/licence-code.tsx";
import { CopyButton } from "#web/ui/copy-button.tsx";
import { StepMark } from "#web/ui/step-mark.tsx";
import { Moment } from "#web/ui/moment.tsx";
import { MailLink } from "#web/ui/mail-link.tsx";

/** Trial page. This address is public and remembers that a signed-out visitor wants a trial. */
export default function TryPage() {
  return (
    <PageLayout title={paths.trial.title} width="form" card>
      <Trial />
    </PageLayout>
  );
}

type TrialLicence = TrialEligibilityQuery["trialEligibility"]["licence"];

/** Explains why the customer can't start a trial, and the next step. */
function TrialRefusal(props: { reason: keyof typeof trialRefusals; licence: TrialLicence }) {
  const { reason, licence } = props;
  return (
    <Stack align="flex-start" c="dimmed">
      <Text fw={560} c="bright">
        {trialRefusals[reason]}
      </Text>
      {licence?.status === "ACTIVE" && licence.usageRemaining === 0 && (
        <p>You have used all {formatNumber(licence.usageLimit ?? 0)} conversions in your trial.</p>
      )}
      <p>
        Contact us at <MailLink to="sales" />.
      </p>
      <LinkButton to={paths.myAccount.href()}>Go to My Account</LinkButton>
    </Stack>
  );
}

/** Shows the trial form, the active trial, or the reason why no trial can be started. */
function Trial() {
  const query = useTrialEligibilityQuery({ fetchPolicy: "network-only" });
  const { data, refetch } = query;
  const [startTrial] = useStartTrialMutation();
  const [started, setStarted] = useState<StartTrialMutation["startTrial"] | null>(null);
  const [startsNow, setStartsNow] = useState(hasAcceptedTrial);
  useEffect(() => clearTrialIntent(), []);

  /** @throws the API's error if no trial is active */
  async function start(acceptedTheTerms: boolean) {
    try {
      const answer = await startTrial({ variables: { acceptedTheTerms } });
      setStarted(answer.data?.startTrial ?? null);
    } catch (error) {
      if (getErrorCode(error) !== "CONFLICT") throw error;
      // Another tab may have started it, or an earlier request whose response was lost.
      const checked = await refetch().catch(() => null);
      if (typeof checked?.data?.trialEligibility.daysLeft !== "number") throw error;
      rememberFocus(document.activeElement)();
    }
    clearTrialStatus();
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
  if (startsNow) return <StartNow start={start} onDone={() => setStartsNow(false)} />;
  return <TrialForm start={start} />;
}

type StartTrial = (acceptedTheTerms: boolean) => Promise<void>;

/** Starts the trial of a customer who accepted its terms at registration. */
function StartNow({ start, onDone }: { start: StartTrial; onDone: () => void }) {
  const isSent = useRef(false);
  useEffect(() => {
    if (isSent.current) return;
    isSent.current = true;
    start(true)
      .catch((error: unknown) => notify.failure(error, "Unable to create the trial."))
      .finally(onDone);
  }, [start, onDone]);
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

const loadRules = () => import("#schema/account.ts").then((file) => file.startTrialRules);

const terms = [
  [`${trialTerms.days} days`, "or until the trial's conversions are used, whichever comes first"],
  ["Everything in Professional", "schedules, health checks, costs and resources, in both directions"],
  ["No card", "the trial ends automatically, or when you subscribe"],
];

function TrialForm({ start }: { start: StartTrial }) {
  const form = useAppForm(loadRules, { defaultValues: { acceptedTheTerms: false } });

  return (
    <AppForm
      form={form}
      onSubmit={({ acceptedTheTerms }) => start(acceptedTheTerms)}
      fallback="Unable to create the trial."
      label="Trial Professional"
    >
      <List
        spacing="md"
        icon={
          <ThemeIcon variant="light" radius="xl" size="md" aria-hidden>
            <IconCheck size={16} stroke={2.2} />
          </ThemeIcon>
        }
      >
        {terms.map(([title, text]) => (
          <List.Item key={title}>
            <Text fw={600}>{title}</Text>
            <Text size="sm" c="dimmed">
              {text}
            </Text>
          </List.Item>
        ))}
      </List>
      <Text size="sm" c="dimmed">
        The trial is for one user on one device, and each customer can have one trial. It is not intended for
        organisations or conversion services. The <Link to={paths.terms.href()}>terms and conditions</Link> apply.
      </Text>
      <AcceptButton control={form.control} name="acceptedTheTerms" label="I accept the terms and conditions" />
      <FormActions>
        <SubmitButton>Submit</SubmitButton>
      </FormActions>
    </AppForm>
  );
}

interface TrialWelcomeProps {
  licence: StartTrialMutation["startTrial"];
  /** Null if no installer is published. */
  installer: TrialEligibilityQuery["installer"];
}

/** Shown after a trial has started: the licence code, the installer and support. */
function TrialWelcome({ licence, installer }: TrialWelcomeProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <Stack gap="lg">
      <Stack gap="xs">
        <Title order={2} ref={heading} tabIndex={-1}>
          Welcome to your trial of {brand.productName} Professional
        </Title>
        <Text c="dimmed">
          It runs until <Moment at={licence.expiresAt} />
          {typeof licence.usageLimit === "number" &&
            `, or until ${formatNumber(licence.usageLimit)} conversions are used, whichever comes first`}
          . We have also emailed you the licence code.
        </Text>
      </Stack>
      <Divider />
      <Stack component="ol" gap="lg" m={0} p={0}>
        <Step number={1} title="Install the add-in">
          {installer ? (
            <>
              <p>Close your planning program first, then run the installer.</p>
              <Group gap="sm">
                <LinkButton href={brand.installerPath} download>
                  <IconDownload size={18} stroke={1.8} aria-hidden="true" />
                  Download
                </LinkButton>
                <Text span size="sm">
                  Version {formatInstaller(installer)}
                </Text>
              </Group>
            </>
          ) : (
            <p>
              The installer can't be downloaded at the moment. Please come back to My Account later, or write to{" "}
              <MailLink to="support" />.
            </p>
          )}
        </Step>
        <Step number={2} title="Enter your licence code">
          <p>Enter it when you first open the add-in. It activates one device.</p>
          <LicenceCode code={licence.licenceCode} />
          <div>
            <CopyButton text={licence.licenceCode} label="Copy Licence Code" successMessage={LICENCE_CODE_COPIED} />
          </div>
        </Step>
        <Step number={3} title="Need a hand?">
          <p>
            Write to <MailLink to="support" />. Tell us which version of the planning program you use and what you see.
            Because of time zones, a reply may take a day.
          </p>
          <div>
            <LinkButton variant="default" to={paths.myAccount.href()}>
              Go to My Account
            </LinkButton>
          </div>
        </Step>
      </Stack>
    </Stack>
  );
}

function Step({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  return (
    <Group component="li" gap="sm" wrap="nowrap" align="flex-start">
      <StepMark number={number} />
      <Stack gap="xs" flex={1} miw={0} c="dimmed">
        <Title order={3} size="h4" c="bright" lh="1.75rem">
          {title}
        </Title>
        {children}
      </Stack>
    </Group>
  );
}
