import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { ResultCode } from "#schema/catalogue.ts";
import { useActivatedDevicesQuery } from "#web/generated/graphql.ts";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { EmptyState, ErrorState } from "#web/ui/message-state.tsx";
import { messageOf } from "#web/ui/server-error.ts";
import classes from "./activated-devices.module.css";
import type { Deactivation } from "./deactivate-dialog.tsx";
import { DeactivationLimitDialog } from "./deactivation-limit-dialog.tsx";
import { DeviceCards, type ShownDevice } from "./device-cards.tsx";

/** Brings the form machinery along (28 kB), so it comes when a device is first to be freed. */
const DeactivateDialog = lazy(() =>
  import("./deactivate-dialog.tsx").then((file) => ({ default: file.DeactivateDialog })),
);

/** The devices of one licence and the way to free them (spec, public §2, Manage Activated Devices). */
export function ActivatedDevices(props: { licenceId: string; counted: boolean; mayFree: boolean }) {
  const { licenceId, counted, mayFree } = props;
  const { data, error, refetch } = useActivatedDevicesQuery({ variables: { licenceId } });
  const [asking, setAsking] = useState<ShownDevice | null>(null);
  const [asked, setAsked] = useState(false);
  const [answer, setAnswer] = useState<Deactivation | null>(null);
  const [limitShown, setLimitShown] = useState(false);
  const use = useRef<HTMLParagraphElement>(null);

  // The button that was pressed goes with its card, so the focus needs another place.
  useEffect(() => {
    if (answer?.resultCode === ResultCode.VALID) use.current?.focus();
  }, [answer]);

  if (error && !data)
    return (
      <ErrorState message={messageOf(error, "Unable to fetch your active devices.")} onRetry={() => void refetch()} />
    );
  if (!data) return <LoadingBlock label="Loading the devices" />;
  const { product, subscriptionLevel, numberOfMachines, devices } = data.licence;

  function ask(device: ShownDevice) {
    setAsked(true);
    setAsking(device);
  }

  function answered(deactivation: Deactivation) {
    setAsking(null);
    setAnswer(deactivation);
    setLimitShown(deactivation.resultCode === ResultCode.DEACTIVATION_LIMIT_EXCEEDED);
    void refetch();
  }

  return (
    <div className={classes.devices}>
      <p ref={use} className={classes.use} tabIndex={-1}>
        <b>
          {product} {subscriptionLevel}
        </b>
        <span>
          {devices.length} of {numberOfMachines} {numberOfMachines === 1 ? "device" : "devices"} in use
        </span>
      </p>
      {devices.length === 0 ? (
        <EmptyState message="You don't have any activated devices for this licence." />
      ) : (
        <DeviceCards devices={devices} onDeactivate={mayFree ? ask : null} />
      )}
      <p className={classes.remaining} role="status">
        {counted && answer && remainingSentence(answer.deactivationsRemaining)}
      </p>
      {asked && (
        <Suspense fallback={null}>
          <DeactivateDialog device={asking} onCancel={() => setAsking(null)} onAnswered={answered} />
        </Suspense>
      )}
      <DeactivationLimitDialog
        opened={limitShown}
        message={answer?.message ?? ""}
        onClose={() => setLimitShown(false)}
      />
    </div>
  );
}

function remainingSentence(count: number): string {
  if (count === 0) return "You have no deactivations left at the moment.";
  return `You have ${count} ${count === 1 ? "deactivation" : "deactivations"} left within the year.`;
}
