import { Badge, Group, Skeleton, Stack, Text } from "@mantine/core";
import { brand } from "#schema/brand.ts";
import { memberTypes } from "#schema/user.ts";
import { findLabel } from "#schema/closed-list.ts";
import { formatDate, formatDateTime, formatTime } from "#schema/dates.ts";
import { formatAud } from "#schema/money.ts";
import { formatNextRetry } from "#web/billing/subscriptions/payment-texts.ts";
import { type UserHeaderFieldsFragment, type UserSummaryQuery, useUserSummaryQuery } from "#web/generated/graphql.ts";

/** Shows a user's company, address, status, plan, debt and last activity under their name. */
export function UserHeader({ user }: { user: UserHeaderFieldsFragment }) {
  const { id, companyName, email, memberType } = user;
  const { isActive, emailConfirmed, cancellationPendingSince } = user;
  // Signing in and devices change it, so a cached summary is only shown until the new one arrives.
  const { data, loading } = useUserSummaryQuery({ variables: { id }, fetchPolicy: "cache-and-network" });
  const summary = data?.userSummary;
  return (
    <Stack gap={4} style={{ overflowWrap: "anywhere" }}>
      <Group gap="6px 12px">
        {companyName && <span>{companyName}</span>}
        <span>{email}</span>
      </Group>
      <Group gap="6px 8px">
        <Badge>{findLabel(memberTypes, memberType)}</Badge>
        <Badge color={isActive ? "spruce" : "red"}>{isActive ? "Active" : "Archived"}</Badge>
        {summary?.pastDueSince && <Badge color="red">{formatPastDue(summary)}</Badge>}
        {cancellationPendingSince && <Badge color="red">Subscription cancellation pending</Badge>}
        {!emailConfirmed && <Badge color="marigold">Email not confirmed</Badge>}
        {summary?.addressWarning && <Badge color="marigold">{summary.addressWarning}</Badge>}
        {summary?.signInBlockedUntil && (
          <Badge color="marigold">
            Sign-in blocked until {formatTime(summary.signInBlockedUntil)} (too many wrong passwords)
          </Badge>
        )}
      </Group>
      {summary?.pastDueReason && (
        <Text fz="sm" c="var(--mantine-color-error)">
          {summary.pastDueReason}. {formatNextRetry(summary.nextRetryAt)}.
        </Text>
      )}
      {/* As high as the line below, so that the tabs don't move. */}
      {!summary && loading && <Skeleton height={12} width="min(18rem, 70vw)" my={5} />}
      {summary && (
        <Group gap="2px 16px" fz="sm" c="dimmed">
          {memberType === "REGULAR" && (
            <span>
              {summary.plan ?? "No subscription"}
              {summary.planEndsAt && `, ends ${formatDate(summary.planEndsAt)}`}
            </span>
          )}
          <span>{formatLastActivity(summary)}</span>
        </Group>
      )}
    </Stack>
  );
}

type Summary = UserSummaryQuery["userSummary"];

function formatPastDue({ pastDueCents, pastDueSince }: Summary): string {
  const amount = typeof pastDueCents === "number" ? ` ${formatAud(pastDueCents)}` : "";
  return `Past due${amount} since ${formatDate(pastDueSince ?? "", brand.timeZone)}`;
}

function formatLastActivity({ lastSignInAt, lastDeviceAt }: Summary): string {
  const isDeviceLatest = lastDeviceAt && (!lastSignInAt || lastDeviceAt > lastSignInAt);
  if (isDeviceLatest) return `Last activity: licence check ${formatDateTime(lastDeviceAt)}`;
  return lastSignInAt ? `Last activity: signed in ${formatDateTime(lastSignInAt)}` : "No activity yet";
}
