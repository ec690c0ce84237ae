import { Group, Stack, Text } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";
import { brand } from "#schema/brand.ts";
import { paths } from "#web/platform/paths.ts";
import { useDeviceAuthorizationProgressQuery } from "#web/generated/graphql.ts";
import { BusyButton } from "#web/ui/busy-button.tsx";
import { Button, LinkButton } from "#web/ui/button.tsx";
import { DoneState } from "#web/ui/done-state.tsx";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { ErrorState } from "#web/ui/message-state.tsx";
import type { Progress } from "./sign-in-activation.tsx";

/** Interval in milliseconds at which the page polls for the result of the activation. */
const POLL_INTERVAL_MS = 2_000;

interface DeviceOutcomeProps {
  /** Status of the authorization when this step was opened. */
  initialProgress: Progress;
  onChooseAgain: (userCode: string) => Promise<void>;
  onStartAgain: () => void;
}

/** Shows the result of a device authorization. Polls until the add-in has completed a confirmed activation. */
export function DeviceOutcome({ initialProgress, onChooseAgain, onStartAgain }: DeviceOutcomeProps) {
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
        <Ended message={`${machineName} is activated.`} hint="You can close this page and continue in the add-in.">
          <LinkButton to={paths.myAccount.href()}>Go to My Account</LinkButton>
        </Ended>
      );
    case "DENIED":
      return (
        <Ended
          message={`Nothing was activated on ${machineName}.`}
          hint={`If someone sent you this code or asked you for it, please let us know at ${brand.mailboxes.support.email}.`}
        >
          <LinkButton to={paths.myAccount.href()}>Go to My Account</LinkButton>
        </Ended>
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

function Ended({ message, hint, children }: { message: string; hint: string; children: ReactNode }) {
  return (
    <DoneState message={message}>
      <p>{hint}</p>
      {children}
    </DoneState>
  );
}

function Waiting({ machineName, isDisconnected }: { machineName: string; isDisconnected: boolean }) {
  const sentence = useRef<HTMLParagraphElement>(null);
  useEffect(() => sentence.current?.focus(), []);
  return (
    <Stack gap="lg" pt="lg" ta="center" style={{ overflowWrap: "anywhere" }}>
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
