import { brand } from "#schema/brand.ts";
import type { Role } from "#web/platform/session.ts";
import type { ActivatedDevicesQuery } from "#web/generated/graphql.ts";
import { formatDate } from "#schema/dates.ts";
import classes from "./activated-devices.module.css";

type Allowance = ActivatedDevicesQuery["licence"]["deactivationAllowance"];

/** Shows the deactivations left in the year and when the next one is available (docs/domain.md#deactivations). */
export function DeactivationAllowance({ allowance, role }: { allowance: Allowance; role: Role | undefined }) {
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
