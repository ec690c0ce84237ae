import { Stack, Text, Badge, Group, type MantineColor, Button, Anchor } from "@mantine/core";
import { useStaffRole, ForStaffRole } from "#web/platform/staff-role.tsx";
import {
  type UserOverviewQuery,
  useUserHeaderQuery,
  useUserOverviewQuery,
  type EmailState,
  type CommentFieldsFragment,
  type TimelineEntryFieldsFragment,
} from "#web/generated/graphql.ts";
import { refreshUserSummary } from "#web/people/refresh-user-summary.ts";
import { StaffSubscriptionCard } from "#web/billing/subscriptions/staff-subscription-card.tsx";
import { Loaded } from "#web/ui/loaded.tsx";
import { Section } from "#web/ui/page-layout.tsx";
import { MergesCard } from "#web/staff/merges/merges-card.tsx";
import { AttentionCard, CardLink } from "./attention-card.tsx";
import { ErasureCard } from "./erasure-card.tsx";
import { LicencesCard } from "./licences-card.tsx";
import classes from "./overview.module.css";
import { findLabel, toValue } from "#schema/closed-list.ts";
import { emailStates } from "#schema/email.ts";
import { Moment } from "#web/ui/moment.tsx";
import { Link } from "react-router-dom";
import { userTabHref } from "#web/platform/paths.ts";
import { FactGrid } from "#web/ui/fact-cards.tsx";
import { formatSellerDate } from "#schema/dates.ts";
import { formatAud } from "#schema/money.ts";
import { formatNumber } from "#schema/numbers.ts";
import { getInvoiceHref } from "#web/billing/invoices/invoice-columns.tsx";
import { InvoiceStatusBadge } from "#web/billing/invoices/invoice-status-badge.tsx";
import { useInvoiceActions } from "#web/billing/invoices/use-invoice-actions.tsx";
import { RowActionsMenu } from "#web/ui/table/row-actions-menu.tsx";
import { timelineTones } from "#schema/timeline.ts";
import { DayTimeline } from "#web/licensing/licences/day-timeline.tsx";
import { TimelineEntry } from "#web/staff/audit-log/timeline-entry.tsx";
import { useOpenDialog } from "#web/ui/dialogs.tsx";
import { PlainList } from "#web/ui/plain-list.tsx";

/** What the Overview tab shows of a user. */
export type Overview = UserOverviewQuery;

/** First tab of a user: what needs attention, plan, licences, open money, activity, emails, notes and the latest events. */
export function OverviewTab({ userId }: { userId: string }) {
  const isSupport = useStaffRole("support");
  const { data: header } = useUserHeaderQuery({ variables: { id: userId } });
  const isCustomer = header?.user.memberType !== "ADMIN";
  const query = useUserOverviewQuery({ variables: { userId, isCustomer, isSupport }, skip: header === undefined });
  const reload = () => {
    void query.refetch().catch(() => undefined);
    refreshUserSummary(query.client);
  };
  return (
    <Loaded query={query} failure="Unable to load the overview." loading="Loading the overview" tall>
      {(overview) => (
        <div className={classes.columns}>
          <Stack gap="lg" miw={0}>
            {header && <ErasureCard user={header.user} />}
            {header && isCustomer && isSupport && <MergesCard user={header.user} />}
            <AttentionCard overview={overview} onDone={reload} />
            {isCustomer && (
              <>
                <Plan overview={overview} onDone={reload} />
                <LicencesCard userId={userId} licences={overview.user.licences ?? []} onDone={reload} />
                <MoneyCard userId={userId} isActive={header?.user.isActive} overview={overview} onDone={reload} />
              </>
            )}
          </Stack>
          <Stack gap="lg" miw={0}>
            <ActivityCard overview={overview} />
            {isSupport && <CommentsCard userId={userId} comments={overview.user.comments ?? []} onDone={reload} />}
            <EmailsCard emails={overview.user.emails} />
            {isSupport && <HistoryCard userId={userId} entries={overview.user.timeline?.rows ?? []} />}
          </Stack>
        </div>
      )}
    </Loaded>
  );
}

function Plan({ overview, onDone }: { overview: Overview; onDone: () => void }) {
  const [subscription] = overview.user.billingSubscriptions ?? [];
  if (subscription) return <StaffSubscriptionCard subscription={subscription} onDone={onDone} />;
  return (
    <Section title="Subscription">
      <Text c="dimmed">This user has never had a subscription.</Text>
    </Section>
  );
}

const colours: Readonly<Record<EmailState, MantineColor>> = { WAITING: "marigold", SENT: "spruce", REFUSED: "red" };

/** The latest emails to a user and whether the mail server took them. */
function EmailsCard({ emails }: { emails: Overview["user"]["emails"] }) {
  return (
    <Section title="Emails">
      {emails.length === 0 && <Text c="dimmed">No emails in the last 90 days.</Text>}
      <PlainList gap="xs">
        {emails.slice(0, 5).map(({ id, subject, writtenAt, state }) => (
          <Group component="li" key={id} justify="space-between" gap="0 12px" wrap="nowrap" align="flex-start">
            <Text component="span" miw={0} data-break="anywhere">
              {subject}
              <Text span display="block" fz="sm" c="dimmed">
                <Moment at={writtenAt} />
              </Text>
            </Text>
            <Badge flex="none" color={colours[state]}>
              {findLabel(emailStates, state)}
            </Badge>
          </Group>
        ))}
      </PlainList>
    </Section>
  );
}

/** A user's last sign-in and the last licence check of their devices. */
function ActivityCard({ overview: { user, userSummary } }: { overview: Overview }) {
  const { lastSignInAt, lastDeviceAt } = userSummary;
  return (
    <Section
      title="Activity"
      actions={
        <ForStaffRole has="support">
          <CardLink to={userTabHref(user.id, "sign-in")}>Sessions</CardLink>
        </ForStaffRole>
      }
    >
      <FactGrid
        facts={[
          ["Last sign-in", lastSignInAt ? <Moment key="sign-in" at={lastSignInAt} /> : "Never"],
          ...(user.memberType === "ADMIN"
            ? []
            : [["Last licence check", lastDeviceAt ? <Moment key="device" at={lastDeviceAt} /> : "Never"] as const]),
        ]}
        minWidth="13rem"
      />
    </Section>
  );
}

interface MoneyCardProps {
  userId: string;
  /** An archived or deleted account gets no invoices. */
  isActive: boolean | undefined;
  overview: Overview;
  onDone: () => void;
}

/** What a customer owes and their credit, with the open invoices. */
function MoneyCard({ userId, isActive, overview, onDone }: MoneyCardProps) {
  const { overdueInvoices, openInvoices, customerCredit } = overview;
  const actions = useInvoiceActions(onDone);
  const pages = [overdueInvoices, openInvoices];
  const rows = pages.flatMap((page) => page?.rows ?? []);
  const count = pages.reduce((sum, page) => sum + (page?.total ?? 0), 0);
  const [overdueCents, openCents] = pages.map((page) => page?.sums.balanceCents ?? 0) as [number, number];
  return (
    <Section
      title="Open money"
      actions={
        <>
          <CardLink to={userTabHref(userId, "billing")}>All Invoices</CardLink>
          {isActive && (
            <ForStaffRole has="finance">
              <CardLink to={userTabHref(userId, "billing", "&action=create-invoice")}>Create Invoice</CardLink>
            </ForStaffRole>
          )}
        </>
      }
    >
      <FactGrid
        facts={[
          ["Open invoices", formatAud(overdueCents + openCents)],
          ["Overdue", formatAud(overdueCents)],
          ["Credit", formatAud(customerCredit?.balanceCents ?? 0)],
        ]}
      />
      {rows.length > 0 && (
        <PlainList gap="xs" mt="md">
          {rows.map((row) => (
            <Group component="li" key={row.id} gap="sm" wrap="nowrap" justify="space-between">
              <Group gap="4px 14px" miw={0}>
                <Anchor component={Link} to={getInvoiceHref(row)}>
                  {row.number}
                </Anchor>
                <Text span fw={560}>
                  {formatAud(row.balanceCents)}
                </Text>
                <InvoiceStatusBadge row={row} />
                {row.dueAt && (
                  <Text span fz="sm" c="dimmed">
                    Due <Moment at={row.dueAt} as={formatSellerDate} />
                  </Text>
                )}
              </Group>
              <RowActionsMenu label={`Actions for ${row.number}`} getActions={() => actions(row)} />
            </Group>
          ))}
        </PlainList>
      )}
      {count > rows.length && (
        <Text fz="sm" c="dimmed" mt="xs">
          {rows.length} of {formatNumber(count)} open invoices.
        </Text>
      )}
    </Section>
  );
}

/** Comments shown here. The Comments tab has all. */
const MOST = 3;

/** The latest comments by staff about a user, with a button that adds one. */
function CommentsCard(props: { userId: string; comments: readonly CommentFieldsFragment[]; onDone: () => void }) {
  const { userId, comments, onDone } = props;
  const openDialog = useOpenDialog();
  const add = () => openDialog(() => import("#web/staff/comments/add-comment-dialog.tsx"), { userId, onAdded: onDone });
  return (
    <Section
      title="Comments"
      actions={
        <>
          {comments.length > MOST && (
            <CardLink to={userTabHref(userId, "comments")}>All {comments.length} Comments</CardLink>
          )}
          <Button size="sm" variant="default" onClick={add}>
            Add a comment
          </Button>
        </>
      }
    >
      {comments.length === 0 && <Text c="dimmed">No comments.</Text>}
      <PlainList gap="sm">
        {comments.slice(0, MOST).map(({ id, comment, commentedBy, commentDate }) => (
          <li key={id}>
            <Text style={{ whiteSpace: "pre-line", overflowWrap: "anywhere" }}>{comment}</Text>
            <Text fz="sm" c="dimmed">
              {commentedBy}, <Moment at={commentDate} />
            </Text>
          </li>
        ))}
      </PlainList>
    </Section>
  );
}

/** The latest events of a user's account. */
function HistoryCard({ userId, entries }: { userId: string; entries: readonly TimelineEntryFieldsFragment[] }) {
  return (
    <Section title="Latest events" actions={<CardLink to={userTabHref(userId, "history")}>All History</CardLink>}>
      <DayTimeline headingLevel={3} entries={entries} toneOf={({ tone }) => toValue(timelineTones, tone)}>
        {(entry) => <TimelineEntry entry={entry} />}
      </DayTimeline>
    </Section>
  );
}
