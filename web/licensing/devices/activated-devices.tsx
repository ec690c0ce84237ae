import { Suspense, useEffect, useRef, useState } from "react";
import { Link } from "react-router-dom";
import { needsSeat, ResultCode } from "#schema/catalogue.ts";
import { paths } from "#web/platform/paths.ts";
import { type Role, useSession } from "#web/platform/session.ts";
import { type ActivatedDevicesQuery, useActivatedDevicesQuery } from "#web/generated/graphql.ts";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { EmptyState, ErrorState } from "#web/ui/message-state.tsx";
import { messageOf } from "#web/platform/server-error.ts";
import classes from "./activated-devices.module.css";
import { BlockMachineDialog } from "./block-machine-dialog.tsx";
import type { Deactivation } from "./deactivate-dialog.tsx";
import { DeactivationLimitDialog } from "./deactivation-limit-dialog.tsx";
import { DeviceCards, type ShownDevice, Utc } from "./device-cards.tsx";
import { OfflineLockDialog } from "./offline-lock-dialog.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { brand } from "#schema/brand.ts";
import { formatDate } from "#schema/dates.ts";
import { shownMachineName } from "#schema/machine-name.ts";

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

type Allowance = ActivatedDevicesQuery["licence"]["deactivationAllowance"];

/** What is left of the year's deactivations and when the next one comes free (docs/domain.md#deactivations). */
function DeactivationAllowance({ allowance, role }: { allowance: Allowance; role: Role | undefined }) {
  return (
    <p className={classes.allowance} role="status">
      {role === "admin" ? staffSentence(allowance) : ownSentence(allowance)}
    </p>
  );
}

function ownSentence({ limit, used, remaining, nextFreeAt }: Allowance): string {
  const { email } = brand.mailboxes.support;
  if (limit === 0) return `Devices of your account are freed by our support: please write to ${email}.`;
  const next =
    used > 0 && nextFreeAt
      ? ` ${remaining === 0 ? "The next" : "Another"} one comes free on ${formatDate(nextFreeAt)}.`
      : "";
  if (remaining === 0) return `You have no deactivations left at the moment.${next}`;
  return `You have ${counted(remaining)} left within the year.${next}`;
}

function staffSentence({ limit, used, resetAt }: Allowance): string {
  const since = resetAt ? `, since the counter was reset on ${formatDate(resetAt)}` : "";
  return `The customer has used ${used} of ${counted(limit)} within the year${since}. What you free is not counted.`;
}

function counted(count: number): string {
  return `${count} ${count === 1 ? "deactivation" : "deactivations"}`;
}

type FreedDevice = ActivatedDevicesQuery["licence"]["recentlyFreed"][number];

/** The last devices that gave their place back, so that nobody wonders where one went. */
function FreedDevices({ devices, isAdmin }: { devices: readonly FreedDevice[]; isAdmin: boolean }) {
  if (devices.length === 0) return null;
  return (
    <section className={classes.freed} aria-labelledby="freed-devices">
      <h2 id="freed-devices">Recently freed</h2>
      <ul>
        {devices.map((device) => (
          <li key={device.id}>
            <b>{shownMachineName(device.machineName)}</b>
            <span>{whyOf(device, isAdmin)}</span>
            <Utc at={device.freedAt} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function whyOf({ by, reason }: FreedDevice, isAdmin: boolean): string {
  if (by === "customer") return reason ?? "";
  if (by !== "admin") return "Freed by itself";
  return isAdmin && reason ? `By staff: ${reason}` : "Freed by our support";
}
