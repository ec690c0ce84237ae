import { Stack, Text } from "@mantine/core";
import { useStaffRole } from "#web/platform/staff-role.tsx";
import { type UserOverviewQuery, useUserHeaderQuery, useUserOverviewQuery } from "#web/generated/graphql.ts";
import { StaffSubscriptionCard } from "#web/billing/subscriptions/staff-subscription-card.tsx";
import { Loaded } from "#web/ui/loaded.tsx";
import { Section } from "#web/ui/page-layout.tsx";
import { MergesCard } from "#web/staff/merges/merges-card.tsx";
import { ActivityCard } from "./activity-card.tsx";
import { AttentionCard } from "./attention-card.tsx";
import { EmailsCard } from "./emails-card.tsx";
import { ErasureCard } from "./erasure-card.tsx";
import { LicencesCard } from "./licences-card.tsx";
import { MoneyCard } from "./money-card.tsx";
import { HistoryCard, NotesCard } from "./notes-card.tsx";
import classes from "./overview.module.css";

/** What the Overview tab shows of a user. */
export type Overview = UserOverviewQuery;

/** First tab of a user: what needs attention, plan, licences, open money, activity, emails, notes and the latest events. */
export function OverviewTab({ userId }: { userId: string }) {
  const isSupport = useStaffRole("support");
  const { data: header } = useUserHeaderQuery({ variables: { id: userId } });
  const isCustomer = header?.user.memberType !== "ADMIN";
  const query = useUserOverviewQuery({
    variables: { userId, isCustomer, isSupport },
    // Every tab and every customer changes what it shows.
    fetchPolicy: "cache-and-network",
    skip: header === undefined,
  });
  const reload = () => void query.refetch().catch(() => undefined);
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
                <MoneyCard userId={userId} overview={overview} onDone={reload} />
              </>
            )}
          </Stack>
          <Stack gap="lg" miw={0}>
            <ActivityCard overview={overview} />
            {isSupport && <NotesCard userId={userId} comments={overview.user.comments ?? []} onDone={reload} />}
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
