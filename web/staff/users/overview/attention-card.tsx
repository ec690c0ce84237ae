import { Button, Group, Text } from "@mantine/core";
import { type ReactNode } from "react";
import { Link } from "react-router-dom";
import { formatSellerDate, formatTime } from "#schema/dates.ts";
import { formatAud } from "#schema/money.ts";
import { useOpenDialog } from "#web/ui/dialogs.tsx";
import { NextRetry } from "#web/billing/subscriptions/payment-texts.tsx";
import { getInvoiceHref } from "#web/billing/invoices/invoice-columns.tsx";
import type { UserAttentionFieldsFragment } from "#web/generated/graphql.ts";
import { paths, userTabHref } from "#web/platform/paths.ts";
import { useStaffRole } from "#web/platform/staff-role.tsx";
import { Moment } from "#web/ui/moment.tsx";
import { Section } from "#web/ui/page-layout.tsx";
import { PlainList } from "#web/ui/plain-list.tsx";
import type { Overview } from "./overview-tab.tsx";

/** A button of a card that leads to another page. */
export function CardLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Button component={Link} size="sm" variant="default" to={to}>
      {children}
    </Button>
  );
}

/** Something about a user that needs attention, and where to act on it. */
interface Item {
  readonly id: string;
  readonly text: ReactNode;
  readonly detail?: ReactNode;
  readonly label: string;
  /** Address, or the subscription whose payment is retried here. */
  readonly to?: string;
  readonly retry?: string | null;
  /** Whether the action is for support only. */
  readonly isForSupport?: true;
}

/** Lists what needs attention about a user. Each row acts where it is shown. */
export function AttentionCard({ overview, onDone }: { overview: Overview; onDone: () => void }) {
  const openDialog = useOpenDialog();
  const retryPayment = (id: string) =>
    openDialog(() => import("#web/billing/subscriptions/subscription-action-dialog.tsx"), {
      subscription: { id, status: "PAST_DUE" },
      kind: "RETRY_PAYMENT",
      onDone,
    });
  const isSupport = useStaffRole("support");
  const items = listItems(overview);
  return (
    <Section title="What needs attention">
      {items.length === 0 ? (
        <Text c="dimmed">Nothing needs attention.</Text>
      ) : (
        <PlainList gap="sm">
          {items.map(({ id, text, detail, label, to, retry, isForSupport }) => (
            <Group component="li" key={id} justify="space-between" gap="xs" wrap="wrap">
              <Text component="span" flex="1 1 14rem" miw={0} data-break="anywhere">
                <Text span inherit fw={560}>
                  {text}
                </Text>
                {detail && (
                  <Text span display="block" fz="sm" c="dimmed">
                    {detail}
                  </Text>
                )}
              </Text>
              {isForSupport && !isSupport ? null : to === undefined ? (
                <Button size="sm" onClick={() => retry && retryPayment(retry)}>
                  {label}
                </Button>
              ) : (
                <CardLink to={to}>{label}</CardLink>
              )}
            </Group>
          ))}
        </PlainList>
      )}
    </Section>
  );
}

function listItems({ user, userSummary, overdueInvoices }: Overview): Item[] {
  const page = paths.updateUser.href({ id: user.id });
  const { signInBlockedUntil } = userSummary;
  const refused = user.emails.find(({ state }) => state === "REFUSED");
  return [
    ...user.attention.map((row) => ({ id: `${row.list} ${row.id}`, text: row.what, ...describe(row, page, user.id) })),
    ...(overdueInvoices?.rows ?? []).map((invoice) => ({
      id: invoice.id,
      text: `Invoice ${invoice.number} is overdue`,
      detail: (
        <>
          {formatAud(invoice.balanceCents)}
          {invoice.dueAt && (
            <>
              , due <Moment at={invoice.dueAt} as={formatSellerDate} />
            </>
          )}
        </>
      ),
      label: "Open Invoice",
      to: getInvoiceHref(invoice),
    })),
    ...(signInBlockedUntil
      ? [
          {
            id: "sign-in",
            text: (
              <>
                Sign-in blocked until <Moment at={signInBlockedUntil} as={formatTime} />
              </>
            ),
            detail: "Too many wrong passwords",
            label: "Send Password Reset",
            to: `${page}?action=password-reset`,
            isForSupport: true as const,
          },
        ]
      : []),
    ...(refused
      ? [
          {
            id: "email",
            text: "The mail server refused an email",
            detail: (
              <>
                “{refused.subject}”, <Moment at={refused.writtenAt} />
              </>
            ),
            label: "Check Address",
            to: userTabHref(user.id, "details"),
          },
        ]
      : []),
  ];
}

/** Returns the detail of a row and the action that resolves it. */
function describe(row: UserAttentionFieldsFragment, page: string, userId: string): Omit<Item, "id" | "text"> {
  const { list, at, licenceId, subscriptionId, amountCents, reason, nextRetryAt } = row;
  const detail = <Moment at={at} />;
  const licence = { licenceId: licenceId ?? "" };
  const support = { isForSupport: true } as const;
  switch (list) {
    case "FAILED_RENEWALS":
      return {
        detail: (
          <>
            {[amountCents === null ? null : formatAud(amountCents), reason].map((text) => text && `${text}. `)}
            <NextRetry at={nextRetryAt} />
          </>
        ),
        label: "Retry Payment",
        retry: subscriptionId,
      };
    case "CANCELLATIONS_PENDING":
      return { detail, label: "Billing", to: userTabHref(userId, "billing") };
    case "TRIALS_ENDING":
      return { detail, label: "Extend Trial", to: `${page}?action=extend-trial&on=${licenceId}`, ...support };
    case "LICENCES_EXPIRING":
      return { detail, label: "Update Licence", to: `${page}?action=update&on=${licenceId}`, ...support };
    case "COUNTRIES_TO_CHECK":
      return { label: "Choose Country", to: userTabHref(userId, "details"), ...support };
    case "BLOCKED_ATTEMPTS":
      return { detail, label: "View licence history", to: paths.licenceHistory.href(licence) };
    case "ALTERNATING_DEVICES":
      return { detail, label: "Manage Devices", to: paths.activatedDevices.href({ ...licence, userId }) };
    case "LEAKED_LICENCES":
      return { detail, label: "Re-issue Code", to: `${page}?action=reissue-code&on=${licenceId}`, ...support };
    case "UNCONFIRMED_ACCOUNTS":
      return {
        detail: <>Registered {detail}</>,
        label: "Resend Confirmation",
        to: `${page}?action=confirmation`,
        ...support,
      };
  }
}
