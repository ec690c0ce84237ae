import { Badge, Group, Skeleton, Stack, Text } from "@mantine/core";
import { memberTypes } from "#schema/user.ts";
import { findLabel } from "#schema/closed-list.ts";
import { formatSellerDate, formatTime } from "#schema/dates.ts";
import { formatAud } from "#schema/money.ts";
import { NextRetry } from "#web/billing/subscriptions/payment-texts.tsx";
import { type UserHeaderFieldsFragment, type UserSummaryQuery, useUserSummaryQuery } from "#web/generated/graphql.ts";
import { Moment } from "#web/ui/moment.tsx";

/** Shows a user's company, address, status, plan, debt and last activity under their name. */
export function UserHeader({ user }: { user: UserHeaderFieldsFragment }) {
  const { id, companyName, email, memberType } = user;
  const { isActive, deletedAt, emailConfirmed, cancellationPendingSince } = user;
  // Signing in and devices change it, so a cached summary is only shown until the new one arrives.
  const { data, loading } = useUserSummaryQuery({ variables: { id } });
  const summary = data?.userSummary;
  return (
    <Stack gap={4} data-break="anywhere">
      <Group gap="6px 12px">
        {companyName && <span>{companyName}</span>}
        <span>{email}</span>
      </Group>
      <Group gap="6px 8px">
        <Badge>{findLabel(memberTypes, memberType)}</Badge>
        <Badge color={isActive ? "spruce" : "red"}>{isActive ? "Active" : deletedAt ? "Deleted" : "Archived"}</Badge>
        {summary?.pastDueSince && (
          <Badge color="red">
            Past due {typeof summary.pastDueCents === "number" && `${formatAud(summary.pastDueCents)} `}
            since <Moment at={summary.pastDueSince} as={formatSellerDate} />
          </Badge>
        )}
        {cancellationPendingSince && <Badge color="red">Subscription cancellation pending</Badge>}
        {!emailConfirmed && <Badge color="marigold">Email not confirmed</Badge>}
        {summary?.addressWarning && <Badge color="marigold">{summary.addressWarning}</Badge>}
        {summary?.signInBlockedUntil && (
          <Badge color="marigold">
            Sign-in blocked until <Moment at={summary.signInBlockedUntil} as={formatTime} /> (too many wrong passwords)
          </Badge>
        )}
      </Group>
      {summary?.pastDueReason && (
        <Text fz="sm" c="var(--mantine-color-error)">
          {summary.pastDueReason}. <NextRetry at={summary.nextRetryAt} />.
        </Text>
      )}
      {/* As high as the line below, so that the tabs don't move. */}
      {!summary && loading && <Skeleton height={12} width="min(18rem, 70vw)" my={5} />}
      {summary && (
        <Group gap="2px 16px" fz="sm" c="dimmed">
          {memberType === "REGULAR" && (
            <span>
              {summary.plan ?? "No subscription"}
              {summary.planEndsAt && ", ends "}
              {summary.planEndsAt && <Moment at={summary.planEndsAt} as={formatSellerDate} />}
            </span>
          )}
          <span>
            <LastActivity {...summary} />
          </span>
        </Group>
      )}
    </Stack>
  );
}

function LastActivity({ lastSignInAt, lastDeviceAt }: UserSummaryQuery["userSummary"]) {
  const isDeviceLatest = lastDeviceAt && (!lastSignInAt || lastDeviceAt > lastSignInAt);
  const at = isDeviceLatest ? lastDeviceAt : lastSignInAt;
  if (!at) return "No activity yet";
  return (
    <>
      Last activity: {isDeviceLatest ? "licence check" : "signed in"} <Moment at={at} />
    </>
  );
}
