import { Text } from "@mantine/core";
import { useEffect, useRef } from "react";
import { brand } from "#schema/brand.ts";
import { ResultCode } from "#schema/catalogue.ts";
import { paths } from "#web/platform/paths.ts";
import { LinkButton } from "#web/public-ui/button.tsx";
import { Callout } from "#web/ui/callout.tsx";
import type { OfflineActivationResult } from "./offline-activation.tsx";

const solvedBySubscription: readonly number[] = [
  ResultCode.LICENCE_EXPIRED,
  ResultCode.TRIAL_ALREADY_USED,
  ResultCode.USAGE_LIMIT_REACHED,
];

/** Explains why the activation was refused, and what to do next. */
export function OfflineRefusal({ refusal }: { refusal: OfflineActivationResult }) {
  const message = useRef<HTMLParagraphElement>(null);
  useEffect(() => message.current?.focus(), [refusal]);
  return (
    <Callout tone="critical">
      <Text ref={message} fw={560} tabIndex={-1}>
        {refusal.message}
      </Text>
      <NextStep {...refusal} />
    </Callout>
  );
}

function NextStep({ resultCode, licenceId }: OfflineActivationResult) {
  const { email } = brand.mailboxes.support;
  if (resultCode === ResultCode.MACHINE_LIMIT_EXCEEDED)
    return (
      <div>
        <LinkButton variant="default" to={paths.activatedDevices.href({ licenceId, userId: "account" })}>
          Manage Activated Devices
        </LinkButton>
      </div>
    );
  if (solvedBySubscription.includes(resultCode))
    return (
      <div>
        <LinkButton variant="default" to={paths.manageSubscription.href()}>
          Manage Subscription
        </LinkButton>
      </div>
    );
  // The message for a licence with seats already contains the next step, which is in the add-in.
  if (resultCode === ResultCode.FAILED) return null;
  return (
    <p>
      Contact support at <a href={`mailto:${email}`}>{email}</a>.
    </p>
  );
}
