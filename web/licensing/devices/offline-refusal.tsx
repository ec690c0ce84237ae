import { useEffect, useRef } from "react";
import { brand } from "#schema/brand.ts";
import { ResultCode } from "#schema/catalogue.ts";
import { paths } from "#web/platform/paths.ts";
import { LinkButton } from "#web/ui/button.tsx";
import { Callout } from "#web/ui/callout.tsx";
import type { OfflineAnswer } from "./offline-activation.tsx";
import classes from "./offline-activation.module.css";

const toPlans: readonly number[] = [
  ResultCode.LICENCE_EXPIRED,
  ResultCode.TRIAL_ALREADY_USED,
  ResultCode.USAGE_LIMIT_REACHED,
];

/** Why there is no licence file, and what to do about it. */
export function OfflineRefusal({ answer }: { answer: OfflineAnswer }) {
  const words = useRef<HTMLParagraphElement>(null);
  useEffect(() => words.current?.focus(), [answer]);
  return (
    <Callout tone="critical">
      <p ref={words} className={classes.refusal} tabIndex={-1}>
        {answer.message}
      </p>
      <NextStep {...answer} />
    </Callout>
  );
}

function NextStep({ resultCode, licenceId }: OfflineAnswer) {
  const { email } = brand.mailboxes.support;
  if (resultCode === ResultCode.MACHINE_LIMIT_EXCEEDED)
    return (
      <div>
        <LinkButton variant="default" to={paths.activatedDevices.href({ licenceId, userId: "account" })}>
          Manage Activated Devices
        </LinkButton>
      </div>
    );
  if (toPlans.includes(resultCode))
    return (
      <div>
        <LinkButton variant="default" to={paths.manageSubscription.href()}>
          Manage Subscription
        </LinkButton>
      </div>
    );
  // A licence with seats: the sentence says what to do, and nobody can do it here.
  if (resultCode === ResultCode.FAILED) return null;
  return (
    <p>
      Our support: <a href={`mailto:${email}`}>{email}</a>
    </p>
  );
}
