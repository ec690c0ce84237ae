import { Button, Group, Text } from "@mantine/core";
import { IconLock, IconLockOpen } from "@tabler/icons-react";
import { useState } from "react";
import { formatDay, formatSellerDate } from "#schema/dates.ts";
import { usePeriodLockQuery } from "#web/generated/graphql.ts";
import { formatError } from "#web/platform/server-error.ts";
import { lazyDialog } from "#web/ui/lazy-part.tsx";
import { ErrorState } from "#web/ui/message-state.tsx";
import { listLockableMonths, listLockedMonths } from "./months.ts";
import { Moment } from "#web/ui/moment.tsx";

const PeriodLockDialog = lazyDialog(
  () => import("./period-lock-dialog.tsx").then((file) => file.PeriodLockDialog),
  ({ kind }) => kind !== null,
);

/** Shows through which day the accounts are locked, with buttons to lock and to reopen a month. */
export function PeriodLock({ now }: { now: Date }) {
  const { data, error, refetch } = usePeriodLockQuery({ fetchPolicy: "cache-and-network" });
  const [kind, setKind] = useState<"lock" | "reopen" | null>(null);
  if (error && !data)
    return (
      <ErrorState message={formatError(error, "Unable to load the locked months.")} onRetry={() => void refetch()} />
    );
  const lock = data?.periodLock;
  if (!lock) return null;
  const lockable = listLockableMonths(lock.lockedThrough, now);
  const locked = listLockedMonths(lock.lockedThrough);
  return (
    <Group component="section" aria-label="Locked months" justify="space-between" gap="sm" mb="lg">
      <Text size="sm" c="dimmed">
        {lock.lockedThrough ? (
          <>
            The accounts are locked through{" "}
            <Text span inherit fw={600} c="var(--mantine-color-text)">
              {formatDay(lock.lockedThrough)}
            </Text>
            .{" "}
            {lock.changedAt && (
              <>
                {lock.changedBy ?? "Staff"}, <Moment at={lock.changedAt} as={formatSellerDate} />:{" "}
              </>
            )}
            {lock.reason}
          </>
        ) : (
          "No month of the accounts is locked."
        )}
      </Text>
      <Group gap="sm">
        {locked.length > 0 && (
          <Button
            variant="default"
            size="sm"
            leftSection={<IconLockOpen size={17} stroke={1.8} aria-hidden="true" />}
            onClick={() => setKind("reopen")}
          >
            Reopen month
          </Button>
        )}
        {lockable.length > 0 && (
          <Button
            variant="default"
            size="sm"
            leftSection={<IconLock size={17} stroke={1.8} aria-hidden="true" />}
            onClick={() => setKind("lock")}
          >
            Lock month
          </Button>
        )}
      </Group>
      <PeriodLockDialog kind={kind} months={kind === "lock" ? lockable : locked} onClose={() => setKind(null)} />
    </Group>
  );
}
