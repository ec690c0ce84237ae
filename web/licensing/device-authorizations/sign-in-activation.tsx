import { useApolloClient } from "@apollo/client/react";
import { useState, useEffect, useRef } from "react";
import {
  DeviceAuthorizationDocument,
  type DeviceAuthorizationProgressQuery,
  type DeviceAuthorizationQuery,
  useDeviceAuthorizationProgressQuery,
} from "#web/generated/graphql.ts";
import { notify } from "#web/platform/notifications.ts";
import { getErrorCode } from "#web/platform/server-error.ts";
import { DeviceConfirmation } from "./device-confirmation.tsx";
import type { UserCodeValues } from "#schema/protocol.ts";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { TextField } from "#web/ui/form/fields.tsx";
import { FormActions, SubmitButton } from "#web/ui/form/form-parts.tsx";
import { useSearchParams } from "react-router-dom";
import { paths } from "#web/platform/paths.ts";
import { PageLayout } from "#web/ui/page-layout.tsx";
import { Group, Stack, Text } from "@mantine/core";
import { brand } from "#schema/brand.ts";
import { BusyButton } from "#web/ui/busy-button.tsx";
import { Button, LinkButton } from "#web/ui/button.tsx";
import { DoneState, ErrorState } from "#web/ui/message-state.tsx";
import { LoadingBlock } from "#web/ui/loading-block.tsx";

const loadRules = () => import("#schema/protocol.ts").then((file) => file.userCodeRules);

/**
 * Form for the code that the add-in displays. A code from the link is filled in but not submitted, so that following a link
 * alone never leads to the confirmation.
 */
function UserCodeForm(props: { code: string; isAgain: boolean; onSubmit: (userCode: string) => Promise<void> }) {
  const { code, isAgain, onSubmit } = props;
  const form = useAppForm(loadRules, { defaultValues: { userCode: code } });
  const submit = ({ userCode }: UserCodeValues) => onSubmit(userCode);
  // The button that led back here has disappeared.
  useEffect(() => {
    if (isAgain) form.setFocus("userCode");
  }, [form, isAgain]);
  return (
    <AppForm form={form} onSubmit={submit} fallback="Unable to look up the code." label="Activate a device">
      <TextField
        control={form.control}
        name="userCode"
        label="Code"
        hint={
          code
            ? "Check that the add-in shows this code now. If it doesn't, don't continue."
            : "The eight letters shown in the add-in, such as WDJB-MJHT."
        }
        autoComplete="off"
        maxLength={40}
        isCode
      />
      <FormActions>
        <SubmitButton>Continue</SubmitButton>
      </FormActions>
    </AppForm>
  );
}

export type Progress = DeviceAuthorizationProgressQuery["deviceAuthorization"];

type Step =
  /** `isAgain` after a code that can't be used any more. */
  | { kind: "code"; isAgain: boolean }
  | { kind: "question"; found: DeviceAuthorizationQuery }
  | { kind: "outcome"; progress: Progress };

/** Activates a device by signing in, in three steps: the code, the confirmation and the result (decision 0024). */
function SignInActivation({ code }: { code: string }) {
  const client = useApolloClient();
  const [step, setStep] = useState<Step>({ kind: "code", isAgain: false });

  async function lookUpCode(userCode: string) {
    const { data } = await client.query({
      query: DeviceAuthorizationDocument,
      variables: { userCode },
      fetchPolicy: "network-only",
      context: { staysOnPage: true },
    });
    if (!data) return;
    const isOpen = data.deviceAuthorization.state === "PENDING" || data.deviceAuthorization.state === "REFUSED";
    setStep(isOpen ? { kind: "question", found: data } : { kind: "outcome", progress: data.deviceAuthorization });
  }

  async function chooseAgain(userCode: string) {
    try {
      await lookUpCode(userCode);
    } catch (error) {
      notify.failure(error, "Unable to look up the code.");
    }
  }

  const startAgain = () => setStep({ kind: "code", isAgain: true });

  async function readAgain(userCode: string) {
    try {
      await lookUpCode(userCode);
    } catch (error) {
      // The code expired while the question was open.
      if (getErrorCode(error) === "BAD_USER_INPUT") startAgain();
    }
  }

  if (step.kind === "code")
    return <UserCodeForm code={step.isAgain ? "" : code} isAgain={step.isAgain} onSubmit={lookUpCode} />;
  if (step.kind === "question")
    return (
      <DeviceConfirmation
        found={step.found}
        onDecided={(progress) => setStep({ kind: "outcome", progress })}
        onOutdated={() => readAgain(step.found.deviceAuthorization.userCode)}
        onStartAgain={startAgain}
      />
    );
  return <DeviceOutcome initialProgress={step.progress} onChooseAgain={chooseAgain} onStartAgain={startAgain} />;
}

/** Page that the add-in opens to activate a device by signing in. The link contains the code. */
export default function ActivatePage() {
  const [search] = useSearchParams();
  const code = search.get("code") ?? "";
  return (
    <PageLayout
      title={paths.activate.title}
      lead="Enter the code shown in the add-in. You don't need your licence code."
      back={{ to: paths.licences.href(), label: "Licences" }}
      width="form"
      card
    >
      <SignInActivation key={code} code={code.slice(0, 40)} />
    </PageLayout>
  );
}

/** Interval in milliseconds at which the page polls for the result of the activation. */
const POLL_INTERVAL_MS = 2_000;

interface DeviceOutcomeProps {
  initialProgress: Progress;
  onChooseAgain: (userCode: string) => Promise<void>;
  onStartAgain: () => void;
}

/** Shows the result of a device authorization. Polls until the add-in has completed a confirmed activation. */
function DeviceOutcome({ initialProgress, onChooseAgain, onStartAgain }: DeviceOutcomeProps) {
  const { userCode } = initialProgress;
  const { data, error, stopPolling } = useDeviceAuthorizationProgressQuery({
    variables: { userCode },
    skip: initialProgress.state !== "CONFIRMED",
    fetchPolicy: "network-only",
    pollInterval: POLL_INTERVAL_MS,
    // A failed poll must not lead to an error page, because the next one can succeed.
    context: { staysOnPage: true },
  });
  const { state, message, machineName } = data?.deviceAuthorization ?? initialProgress;
  useEffect(() => {
    if (state !== "CONFIRMED") stopPolling();
  }, [state, stopPolling]);

  const enterAnotherCode = (
    <Button variant="default" onClick={onStartAgain}>
      Enter another code
    </Button>
  );
  switch (state) {
    case "ACTIVATED":
      return (
        <Ended message={`${machineName} is activated.`} hint="You can close this page and continue in the add-in." />
      );
    case "DENIED":
      return (
        <Ended
          message={`Nothing was activated on ${machineName}.`}
          hint={`If someone sent you this code or asked you for it, please let us know at ${brand.mailboxes.support.email}.`}
        />
      );
    case "REFUSED":
      return (
        <ErrorState message={`${machineName} was not activated. ${message ?? ""}`}>
          <Group gap="sm" justify="center">
            <BusyButton onPress={() => onChooseAgain(userCode)}>Choose again</BusyButton>
            {enterAnotherCode}
          </Group>
          <p>After choosing a licence, press Try Again in the add-in.</p>
        </ErrorState>
      );
    case "EXPIRED":
      return (
        <ErrorState
          message={`The code expired before the add-in on ${machineName} could complete the activation. Start again in the add-in to get a new code.`}
        >
          {enterAnotherCode}
        </ErrorState>
      );
    case "CONFIRMED":
    case "PENDING":
      return <Waiting machineName={machineName} isDisconnected={error !== undefined} />;
  }
}

function Ended({ message, hint }: { message: string; hint: string }) {
  return (
    <DoneState message={message}>
      <p>{hint}</p>
      <LinkButton to={paths.myAccount.href()}>Go to My Account</LinkButton>
    </DoneState>
  );
}

function Waiting({ machineName, isDisconnected }: { machineName: string; isDisconnected: boolean }) {
  const sentence = useRef<HTMLParagraphElement>(null);
  useEffect(() => sentence.current?.focus(), []);
  return (
    <Stack gap="lg" pt="lg" ta="center" data-break="anywhere">
      <Text ref={sentence} tabIndex={-1} fz="lg" fw={560}>
        Confirmed. Go back to the add-in on {machineName}. It continues automatically within a few seconds.
      </Text>
      <LoadingBlock label="Waiting for the add-in" />
      <Text role="status" c="dimmed">
        {isDisconnected
          ? "We can't reach the server at the moment. We'll keep trying. The add-in may already be activated."
          : ""}
      </Text>
    </Stack>
  );
}
