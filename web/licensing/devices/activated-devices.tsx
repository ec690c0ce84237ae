import { Card, Group, Progress, Stack, Text, Title } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { Link } from "react-router-dom";
import { getHelpPath } from "#schema/help-articles.ts";
import { needsSeat } from "#schema/licence-types.ts";
import { paths } from "#web/platform/paths.ts";
import { useSession } from "#web/platform/session.ts";
import {
  type ActivatedDevicesQuery,
  useActivatedDevicesQuery,
  useBlockMachineOfMutation,
} from "#web/generated/graphql.ts";
import { Button } from "#web/ui/button.tsx";
import { AppDialog, DialogActions, type DialogControl } from "#web/ui/confirm-dialog.tsx";
import { MailLink } from "#web/ui/mail-link.tsx";
import { EmptyState } from "#web/ui/message-state.tsx";
import { useRequestedAction } from "#web/platform/use-requested-action.ts";
import type { DeactivationResult } from "./deactivate-dialog.tsx";
import { DeviceCards, type ShownDevice } from "./device-cards.tsx";
import { useOpenDialog, confirmAction } from "#web/ui/dialogs.tsx";
import { RowList } from "#web/ui/row-list.tsx";
import { brand } from "#schema/brand.ts";
import { formatDate } from "#schema/dates.ts";
import { formatMachineName } from "#schema/machine-name.ts";
import { formatCount, formatNumber } from "#schema/numbers.ts";
import { formatDevicesInUse } from "#web/licensing/licences/licence-expiry.tsx";
import { Loaded } from "#web/ui/loaded.tsx";
import { Moment } from "#web/ui/moment.tsx";

/** Lists the devices of a licence, with the actions to deactivate and block them. */
export function ActivatedDevices(props: {
  licenceId: string;
  canDeactivate: boolean;
  /** Set for admins, who can block machines of this user. */
  ownerId?: string;
}) {
  const { licenceId, canDeactivate, ownerId } = props;
  const role = useSession()?.claims.role;
  const isAdmin = role === "admin";
  // The add-in may have activated or deactivated devices since the data was cached.
  const query = useActivatedDevicesQuery({ variables: { licenceId } });
  const { data, refetch } = query;
  const openDialog = useOpenDialog();
  const blockMachine = useBlockMachine(ownerId ?? "");
  const [result, setResult] = useState<DeactivationResult | null>(null);
  const usage = useRef<HTMLDivElement>(null);
  useRequestedAction(
    {
      // With several devices, the user has to choose one of them.
      deactivate: () => {
        const [device, ...others] = data?.licence.devices ?? [];
        if (device && others.length === 0 && canDeactivate) deactivate(device);
        else usage.current?.focus();
      },
    },
    data !== undefined,
  );

  // The pressed button disappears with its card, so the focus moves to the usage line.
  useEffect(() => {
    if (result?.code === "VALID") usage.current?.focus();
  }, [result]);

  if (!data)
    return <Loaded query={query} failure="Unable to fetch your active devices." loading="Loading the devices" />;
  const { licence } = data;
  const { numberOfMachines, devices, leases, deactivationAllowance, recentlyFreed } = licence;
  // Licences with seats have no licence files. Their seats are borrowed in the add-in instead.
  const canActivateOffline = !isAdmin && !needsSeat(licence.licenceActivationType);

  function deactivate(device: ShownDevice) {
    if (device.offlineUntil && !isAdmin) openDialog(async () => ({ default: OfflineLockDialog }), { device });
    else openDialog(() => import("./deactivate-dialog.tsx"), { device, onDone: showResult });
  }

  function showResult(deactivation: DeactivationResult) {
    setResult(deactivation);
    if (deactivation.code === "DEACTIVATION_LIMIT_EXCEEDED")
      openDialog(async () => ({ default: DeactivationLimitDialog }), { message: deactivation.message });
    void refetch().catch(() => undefined);
  }

  return (
    <Stack gap="lg">
      <Card padding="lg" shadow="sm">
        <Group ref={usage} tabIndex={-1} justify="space-between" gap="0 1.5rem">
          <b>
            {licence.product} {licence.subscriptionLevel}
          </b>
          <span>{formatDevicesInUse(devices.length, numberOfMachines)}</span>
        </Group>
        <Progress value={Math.min(100, (100 * devices.length) / numberOfMachines)} my="sm" aria-hidden />
        <Group justify="space-between" gap="0 1.5rem" fz="sm" c="dimmed">
          {/* Deactivations left, and the date of the next one (docs/domain.md#deactivations). */}
          <p role="status">
            {isAdmin ? <ForStaff {...deactivationAllowance} /> : <ForCustomer {...deactivationAllowance} />}
          </p>
          {canActivateOffline && (
            <p>
              No internet connection on a device? <Link to={paths.offlineActivation.href()}>Offline activation</Link>.
            </p>
          )}
        </Group>
      </Card>
      {devices.length === 0 ? (
        <EmptyState message="You don't have any activated devices for this licence." />
      ) : (
        <DeviceCards
          devices={devices}
          leases={leases}
          showsUsers={role !== "regular"}
          onDeactivate={canDeactivate ? deactivate : null}
          onBlock={ownerId ? blockMachine : null}
        />
      )}
      <DeactivatedDevices devices={recentlyFreed} isAdmin={isAdmin} />
    </Stack>
  );
}

type Allowance = ActivatedDevicesQuery["licence"]["deactivationAllowance"];

function ForCustomer({ limit, used, remaining, nextFreeAt }: Allowance) {
  const { email } = brand.mailboxes.support;
  if (limit === 0) return `To deactivate a device, please contact support at ${email}.`;
  return (
    <>
      {remaining === 0
        ? "You have no deactivations left at the moment."
        : `You have ${formatCount(remaining, "deactivation")} left (${formatNumber(limit)} per year).`}
      {used > 0 && nextFreeAt && (
        <>
          {remaining === 0 ? " The next" : " Another"} one becomes available on{" "}
          <Moment at={nextFreeAt} as={formatDate} />.
        </>
      )}
    </>
  );
}

function ForStaff({ limit, used, resetAt }: Allowance) {
  return (
    <>
      The customer has used {formatNumber(used)} of {formatCount(limit, "deactivation")} in the last year
      {resetAt && (
        <>
          {" "}
          (counter reset on <Moment at={resetAt} as={formatDate} />)
        </>
      )}
      . Deactivations by staff don't count.
    </>
  );
}

type DeactivatedDevice = ActivatedDevicesQuery["licence"]["recentlyFreed"][number];

function DeactivatedDevices({ devices, isAdmin }: { devices: readonly DeactivatedDevice[]; isAdmin: boolean }) {
  if (devices.length === 0) return null;
  return (
    <section aria-labelledby="deactivated-devices">
      <Title order={2} size="h3" id="deactivated-devices" mb="sm">
        Recently deactivated
      </Title>
      <RowList
        rows={devices.map((device) => ({
          id: device.id,
          cells: (
            <>
              <Text fz="inherit" fw={600} c="bright">
                {formatMachineName(device.machineName)}
              </Text>
              <span>{describeReason(device, isAdmin)}</span>
              <Moment at={device.freedAt} />
            </>
          ),
        }))}
      />
    </section>
  );
}

function describeReason({ by, reason }: DeactivatedDevice, isAdmin: boolean): string {
  if (by === "CUSTOMER") return reason ?? "";
  if (by !== "ADMIN") return "Deactivated automatically";
  return isAdmin && reason ? `By staff: ${reason}` : "Deactivated by support";
}

/** Returns a function that blocks a device's machine on all licences of a customer, after a confirmation. */
function useBlockMachine(userId: string): (device: { id: string; machineName: string }) => void {
  const [block] = useBlockMachineOfMutation();
  return (device) => {
    const name = formatMachineName(device.machineName);
    confirmAction({
      title: "Block this machine",
      confirmLabel: "Block",
      danger: true,
      text: (
        <>
          <Text fw={600} mb="xs" data-break="anywhere">
            {name}
          </Text>
          <p>
            From its next licence check, a device with this name can&rsquo;t use any of this user&rsquo;s licences. It
            still counts towards the device limit until you deactivate it. You can unblock it under User Details.
          </p>
        </>
      ),
      failure: "Unable to block the machine.",
      run: () => block({ variables: { userId, deviceId: device.id } }),
      success: `${name} is blocked on every licence of this user.`,
    });
  };
}

/** Explains that the deactivation limit is reached, and shows how to contact support. */
function DeactivationLimitDialog({ opened, message, onClose }: DialogControl & { message: string }) {
  return (
    <AppDialog opened={opened} title="Deactivation limit reached" onClose={onClose}>
      <Text c="dimmed" mb="sm">
        {message}
      </Text>
      <Text data-break="anywhere">
        <MailLink to="support" /> <Link to={getHelpPath("DEACTIVATION_LIMIT_EXCEEDED")}>Read more</Link>
      </Text>
      <DialogActions>
        <Button data-autofocus onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </AppDialog>
  );
}

/** Explains why a customer can't deactivate a device with a licence file, until when, and how to contact support. */
function OfflineLockDialog({ device, opened, onClose }: DialogControl & { device: ShownDevice }) {
  return (
    <AppDialog opened={opened} title="Device is locked" onClose={onClose}>
      {device.offlineUntil && (
        <Stack gap="sm" c="dimmed" data-break="anywhere">
          <Text fw={600} c="bright">
            {formatMachineName(device.machineName)}
          </Text>
          <p>
            This device was activated offline. Its licence file works without a connection, so the device is locked
            until the file expires. You can deactivate it from <Moment at={device.offlineUntil} />.
          </p>
          <p>
            If the device is lost or broken, contact support at <MailLink to="support" />.
          </p>
        </Stack>
      )}
      <DialogActions>
        <Button data-autofocus onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </AppDialog>
  );
}
