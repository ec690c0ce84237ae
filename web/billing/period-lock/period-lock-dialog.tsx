import { NativeSelect } from "@mantine/core";
import { useState } from "react";
import { formatMonth } from "#schema/dates.ts";
import { type MoneyAnswer, MoneyDialog } from "#web/billing/money-dialog.tsx";
import { PeriodLockDocument, useLockMonthMutation, useReopenMonthMutation } from "#web/generated/graphql.ts";
import type { DialogControl } from "#web/ui/confirm-dialog.tsx";
import { notify } from "#web/platform/notifications.ts";

interface PeriodLockDialogProps extends DialogControl {
  kind: "lock" | "reopen";
  /** The months to choose from, `YYYY-MM`, newest first. */
  months: readonly string[];
}

const formatChoice = (month: string) => formatMonth(`${month}-01`);

/** Locks a month, or reopens one, with a reason. */
export default function PeriodLockDialog({ kind, months, ...dialog }: PeriodLockDialogProps) {
  const [month, setMonth] = useState(months[0] ?? "");
  const options = { refetchQueries: [PeriodLockDocument] };
  const [lockMonth] = useLockMonthMutation(options);
  const [reopenMonth] = useReopenMonthMutation(options);
  const name = formatChoice(month);

  async function send({ reason }: MoneyAnswer) {
    await (kind === "lock" ? lockMonth : reopenMonth)({ variables: { month, reason } });
    notify.success(kind === "lock" ? `${name} is locked.` : `${name} is open again.`);
  }

  return (
    <MoneyDialog
      {...dialog}
      title={kind === "lock" ? "Lock month" : "Reopen month"}
      confirmLabel={kind === "lock" ? "Lock month" : "Reopen month"}
      danger={kind === "reopen"}
      effects={
        kind === "lock"
          ? [
              `${name} and all months before it are locked.`,
              "Payments can’t be recorded for a locked day.",
              "What the payment provider reports late is dated on the first open day.",
            ]
          : [`${name} and all months after it are open again.`, "Figures that you have already reported can change."]
      }
      onConfirm={send}
    >
      <NativeSelect
        label="Month"
        value={month}
        onChange={({ currentTarget }) => setMonth(currentTarget.value)}
        data={months.map((value) => ({ value, label: formatChoice(value) }))}
      />
    </MoneyDialog>
  );
}
