import { Suspense, useEffect, useRef, useState } from "react";
import { Link } from "react-router-dom";
import { needsSeat, ResultCode } from "#schema/catalogue.ts";
import { paths } from "#web/platform/paths.ts";
import { useSession } from "#web/platform/session.ts";
import { useActivatedDevicesQuery } from "#web/generated/graphql.ts";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { EmptyState, ErrorState } from "#web/ui/message-state.tsx";
import { messageOf } from "#web/platform/server-error.ts";
import classes from "./activated-devices.module.css";
import { BlockMachineDialog } from "./block-machine-dialog.tsx";
import type { Deactivation } from "./deactivate-dialog.tsx";
import { DeactivationAllowance } from "./deactivation-allowance.tsx";
import { DeactivationLimitDialog } from "./deactivation-limit-dialog.tsx";
import { DeviceCards, type ShownDevice } from "./device-cards.tsx";
import { FreedDevices } from "./freed-devices.tsx";
import { OfflineLockDialog } from "./offline-lock-dialog.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";

/** Brings the form machinery along (28 kB), so it comes when a device is first to be freed. */
const DeactivateDialog = lazyPart(
  async () => ({ default: (await import("./deactivate-dialog.tsx")).DeactivateDialog }),
  "notification",
);

/** The devices of one licence and the way to free them. */
export function ActivatedDevices(props: {
  licenceId: string;
  mayFree: boolean;
  /** Whose they are, for an admin, who may block their machines. */
  ownerId?: string;
}) {
  const { licenceId, mayFree, ownerId } = props;
  const role = useSession()?.claims.role;
  const isAdmin = role === "admin";
  // A machine may have activated or freed itself since; the cache may be older.
  const { data, error, refetch } = useActivatedDevicesQuery({
    variables: { licenceId },
    fetchPolicy: "cache-and-network",
  });
  const [asking, setAsking] = useState<ShownDevice | null>(null);
  const [locked, setLocked] = useState<ShownDevice | null>(null);
  const [blocking, setBlocking] = useState<ShownDevice | null>(null);
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
  const { licence } = data;
  const { numberOfMachines, devices, leases, deactivationAllowance, recentlyFreed } = licence;
  // Seats are borrowed in the add-in; a licence file is for licences without them.
  const mayGoOffline = !isAdmin && !needsSeat(licence.licenceActivationType);

  function ask(device: ShownDevice) {
    if (device.offlineUntil && !isAdmin) return setLocked(device);
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
          {licence.product} {licence.subscriptionLevel}
        </b>
        <Places used={devices.length} of={numberOfMachines} />
      </p>
      {devices.length === 0 ? (
        <EmptyState message="You don't have any activated devices for this licence." />
      ) : (
        <DeviceCards
          devices={devices}
          leases={leases}
          showsUsers={role !== "regular"}
          onDeactivate={mayFree ? ask : null}
          onBlock={ownerId ? setBlocking : null}
        />
      )}
      <div className={classes.foot}>
        <DeactivationAllowance allowance={deactivationAllowance} role={role} />
        {mayGoOffline && (
          <p>
            A machine without a connection? <Link to={paths.offlineActivation.href()}>Activate it offline</Link>.
          </p>
        )}
      </div>
      <FreedDevices devices={recentlyFreed} isAdmin={isAdmin} />
      {asked && (
        <Suspense fallback={null}>
          <DeactivateDialog device={asking} onCancel={() => setAsking(null)} onAnswered={answered} />
        </Suspense>
      )}
      {ownerId && <BlockMachineDialog userId={ownerId} device={blocking} onClose={() => setBlocking(null)} />}
      <OfflineLockDialog device={locked} onClose={() => setLocked(null)} />
      <DeactivationLimitDialog
        opened={limitShown}
        message={answer?.message ?? ""}
        onClose={() => setLimitShown(false)}
      />
    </div>
  );
}

/** How many of a licence's places are taken, in words and as a bar. */
function Places({ used, of }: { used: number; of: number }) {
  return (
    <span className={classes.places}>
      <span className={classes.bar} aria-hidden="true">
        <span style={{ inlineSize: `${Math.min(100, (100 * used) / of)}%` }} />
      </span>
      {used} of {of} {of === 1 ? "device" : "devices"} in use
    </span>
  );
}
