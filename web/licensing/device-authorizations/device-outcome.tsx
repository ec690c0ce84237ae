import { type ReactNode, useEffect, useRef } from "react";
import { brand } from "#schema/brand.ts";
import { paths } from "#web/platform/paths.ts";
import { useDeviceAuthorizationProgressQuery } from "#web/generated/graphql.ts";
import { BusyButton } from "#web/ui/busy-button.tsx";
import { Button, LinkButton } from "#web/ui/button.tsx";
import { DoneState } from "#web/ui/done-state.tsx";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { ErrorState } from "#web/ui/message-state.tsx";
import classes from "./device-outcome.module.css";
import type { Progress } from "./sign-in-activation.tsx";

/** How often the page asks whether the add-in was there. */
const ASK_EVERY_MS = 2_000;

interface DeviceOutcomeProps {
  /** What was answered, or what had become of the code before. */
  answered: Progress;
  onChooseAgain: (userCode: string) => Promise<void>;
  onStartAgain: () => void;
}

/** What came of the answer; while the add-in has not fetched it, asked again and again. */
export function DeviceOutcome({ answered, onChooseAgain, onStartAgain }: DeviceOutcomeProps) {
  const { userCode } = answered;
  const { data, error, stopPolling } = useDeviceAuthorizationProgressQuery({
    variables: { userCode },
    skip: answered.state !== "CONFIRMED",
    fetchPolicy: "network-only",
    pollInterval: ASK_EVERY_MS,
    // One lost answer among many leads nowhere else.
    context: { staysOnPage: true },
  });
  const { state, message, machineName } = data?.deviceAuthorization ?? answered;
  useEffect(() => {
    if (state !== "CONFIRMED") stopPolling();
  }, [state, stopPolling]);

  const another = (
    <Button variant="default" onClick={onStartAgain}>
      Enter Another Code
    </Button>
  );
  switch (state) {
    case "ACTIVATED":
      return (
        <Ended message={`${machineName} is activated.`} hint="You can close this page and carry on in the add-in.">
          <LinkButton to={paths.myAccount.href()}>Go to My Account</LinkButton>
        </Ended>
      );
    case "DENIED":
      return (
        <Ended
          message={`Nothing was activated on ${machineName}.`}
          hint={`Did somebody send you the code, or ask you for it? Please tell us: ${brand.mailboxes.support.email}.`}
        >
          <LinkButton to={paths.myAccount.href()}>Go to My Account</LinkButton>
        </Ended>
      );
    case "REFUSED":
      return (
        <ErrorState message={`${machineName} was not activated. ${message ?? ""}`}>
          <div className={classes.actions}>
            <BusyButton onPress={() => onChooseAgain(userCode)}>Choose Again</BusyButton>
            {another}
          </div>
          <p className={classes.hint}>After choosing, press Try Again in the add-in.</p>
        </ErrorState>
      );
    case "EXPIRED":
      return (
        <ErrorState
          message={`The code lapsed before the add-in on ${machineName} came back. Start again there for a new one.`}
        >
          {another}
        </ErrorState>
      );
    case "CONFIRMED":
    case "PENDING":
      return <Waiting machineName={machineName} isCutOff={error !== undefined} />;
  }
}

function Ended({ message, hint, children }: { message: string; hint: string; children: ReactNode }) {
  return (
    <DoneState message={message}>
      <p className={classes.hint}>{hint}</p>
      {children}
    </DoneState>
  );
}

function Waiting({ machineName, isCutOff }: { machineName: string; isCutOff: boolean }) {
  const sentence = useRef<HTMLParagraphElement>(null);
  useEffect(() => sentence.current?.focus(), []);
  return (
    <div className={classes.waiting}>
      <p ref={sentence} tabIndex={-1} className={classes.sentence}>
        Confirmed. Go back to the add-in on {machineName}: it carries on by itself within a few seconds.
      </p>
      <LoadingBlock label="Waiting for the add-in" />
      <p role="status" className={classes.hint}>
        {isCutOff ? "We can't reach the server at the moment and go on trying. The add-in may be done already." : ""}
      </p>
    </div>
  );
}
