import { Button, Group, Text } from "@mantine/core";
import { IconLock, IconLockOpen } from "@tabler/icons-react";
import { formatDay, formatSellerDate } from "#schema/dates.ts";
import { usePeriodLockQuery } from "#web/generated/graphql.ts";
import { useOpenDialog } from "#web/ui/dialogs.tsx";
import { Loaded } from "#web/ui/loaded.tsx";
import { Moment } from "#web/ui/moment.tsx";
import { getStartOfDay } from "#schema/days.ts";
import { listTaxPeriods, type TaxPeriod } from "#web/billing/tax/tax-periods.ts";

/** Shows through which day the accounts are locked, with buttons to lock and to reopen a month. */
export function PeriodLock({ now }: { now: Date }) {
  const query = usePeriodLockQuery();
  const openDialog = useOpenDialog();
  const lock = query.data?.periodLock;
  if (!lock) return query.error ? <Loaded query={query} failure="Unable to load the locked months." /> : null;
  const lockable = listLockableMonths(lock.lockedThrough, now);
  const locked = listLockedMonths(lock.lockedThrough);
  const change = (kind: "lock" | "reopen", months: readonly string[]) =>
    openDialog(() => import("./period-lock-dialog.tsx"), { kind, months });
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
            onClick={() => change("reopen", locked)}
          >
            Reopen month
          </Button>
        )}
        {lockable.length > 0 && (
          <Button
            variant="default"
            size="sm"
            leftSection={<IconLock size={17} stroke={1.8} aria-hidden="true" />}
            onClick={() => change("lock", lockable)}
          >
            Lock month
          </Button>
        )}
      </Group>
    </Group>
  );
}

const OFFERED = 13;

const toMonth = ({ startDate }: TaxPeriod) => startDate.slice(0, 7);

/** Lists the months, `YYYY-MM`, that ended and aren't locked, newest first. */
export function listLockableMonths(lockedThrough: string | null, now: Date): string[] {
  const ended = listTaxPeriods("month", now).slice(1, OFFERED + 1);
  return ended.filter(({ endDate }) => endDate > (lockedThrough ?? "")).map(toMonth);
}

/** Lists the locked months, `YYYY-MM`, newest first. */
function listLockedMonths(lockedThrough: string | null): string[] {
  return lockedThrough ? listTaxPeriods("month", getStartOfDay(lockedThrough)).slice(0, OFFERED).map(toMonth) : [];
}
