import { Text } from "@mantine/core";
import { useEffect, useRef } from "react";
import { Link } from "react-router-dom";
import { brand } from "#schema/brand.ts";
import { getHelpPath } from "#schema/help-articles.ts";
import { paths } from "#web/platform/paths.ts";
import { LinkButton } from "#web/ui/button.tsx";
import { Callout } from "#web/ui/callout.tsx";
import type { OfflineActivationResult } from "./offline-activation.tsx";
import type { ResultCode } from "#web/generated/graphql.ts";

const solvedBySubscription: readonly ResultCode[] = ["LICENCE_EXPIRED", "TRIAL_ALREADY_USED", "USAGE_LIMIT_REACHED"];

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
      <Link to={getHelpPath(refusal.code)}>Read more</Link>
    </Callout>
  );
}

function NextStep({ code, licenceId }: OfflineActivationResult) {
  const { email } = brand.mailboxes.support;
  if (code === "MACHINE_LIMIT_EXCEEDED")
    return (
      <div>
        <LinkButton variant="default" to={paths.activatedDevices.href({ licenceId, userId: "account" })}>
          Manage Activated Devices
        </LinkButton>
      </div>
    );
  if (solvedBySubscription.includes(code))
    return (
      <div>
        <LinkButton variant="default" to={paths.manageSubscription.href()}>
          Billing
        </LinkButton>
      </div>
    );
  // The message for a licence with seats already contains the next step, which is in the add-in.
  if (code === "FAILED") return null;
  return (
    <p>
      Contact support at <a href={`mailto:${email}`}>{email}</a>.
    </p>
  );
}
