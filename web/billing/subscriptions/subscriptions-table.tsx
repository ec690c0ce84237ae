import { Anchor, Badge, Button, Group } from "@mantine/core";
import { IconDownload, IconUser } from "@tabler/icons-react";
import { Link } from "react-router-dom";
import { formatSellerTableDate } from "#schema/dates.ts";
import {
  type BillingSubscriptionsQuery,
  type BillingSubscriptionStatus,
  useBillingSubscriptionsQuery,
} from "#web/generated/graphql.ts";
import { DefaultView, SavedViews } from "#web/ui/lists/saved-views.tsx";
import { useRemoteList } from "#web/ui/lists/use-remote-list.ts";
import { useUrlList } from "#web/ui/lists/use-url-list.ts";
import { paths, userTabHref } from "#web/platform/paths.ts";
import { useReportDownload } from "#web/ui/report-download/use-report-download.tsx";
import { useStaffRole } from "#web/platform/staff-role.tsx";
import { type Column, DataTable } from "#web/ui/table/data-table.tsx";
import { useOpenDialog } from "#web/ui/dialogs.tsx";
import {
  actionLabels,
  getStatusText,
  getSubscriptionActions,
  isCancelling,
  statusTexts,
} from "./subscription-texts.ts";
import { moneyColumn, momentColumn } from "#web/ui/table/columns.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";
import { ToggleButton } from "#web/ui/toggle-button.tsx";

type ListedSubscription = BillingSubscriptionsQuery["billingSubscriptions"]["rows"][number];

const subscriptionColumns: readonly Column<ListedSubscription>[] = [
  {
    title: "Customer",
    text: ({ userName }) => userName,
    render: ({ userName, userId }) => (
      <Anchor component={Link} inherit to={userTabHref(userId, "billing")}>
        {userName}
      </Anchor>
    ),
  },
  { title: "Company", text: ({ companyName }) => companyName },
  { title: "Plan", text: ({ plan }) => plan, wrap: "never" },
  {
    title: "Status",
    text: (row) => getStatusText(row).label,
    render: (row) => <Badge color={getStatusText(row).color}>{getStatusText(row).label}</Badge>,
  },
  moneyColumn("Amount", ({ amountCents }) => amountCents),
  momentColumn("Renewal", ({ periodEndsAt }) => periodEndsAt, formatSellerTableDate),
  moneyColumn("Past due", ({ pastDueCents }) => pastDueCents),
  { title: "Reason", text: ({ reason }) => reason ?? "" },
  momentColumn("Next retry", ({ nextRetryAt }) => nextRetryAt, formatSellerTableDate),
];

const statuses = Object.keys(statusTexts) as BillingSubscriptionStatus[];

const subscriptionFilterParams = ["status"];

/**
 * All subscriptions with what is overdue. The filters, search and page are in the URL. `view` has the parameters of the
 * default view.
 */
function SubscriptionsTable({ view }: { view: URLSearchParams | null }) {
  const list = useUrlList({
    sortable: false,
    filters: subscriptionFilterParams,
    rememberAs: "subscriptions",
    open: () => view,
  });
  const chosen = statuses.filter((status) => list.params.get("status")?.split(",").includes(status));
  const remote = useRemoteList(list, { queryKey: chosen.join(",") });
  const filter = { search: remote.search, statuses: chosen };
  const { data, previousData, error, refetch } = useBillingSubscriptionsQuery({
    variables: { filter, ...remote.page },
  });
  const isFinance = useStaffRole("finance");
  const openDialog = useOpenDialog();
  const download = useReportDownload();
  const page = (data ?? previousData)?.billingSubscriptions;
  const reload = () => void refetch().catch(() => undefined);

  function toggle(status: BillingSubscriptionStatus) {
    const next = chosen.includes(status) ? chosen.filter((one) => one !== status) : [...chosen, status];
    const params = new URLSearchParams(list.params);
    if (next.length > 0) params.set("status", next.join(","));
    else params.delete("status");
    list.apply(params);
  }

  return (
    <>
      <DataTable<ListedSubscription>
        name="Subscriptions"
        dense
        columns={subscriptionColumns}
        remote={remote.toTableList(page)}
        rows={page?.rows}
        rowId={({ id }) => id}
        rowLabel={({ userName }) => userName}
        actions={(row) => [
          ...getSubscriptionActions(row, isFinance).map((kind) => ({
            label: actionLabels[kind],
            danger: isCancelling(kind),
            onSelect: () =>
              openDialog(() => import("./subscription-action-dialog.tsx"), { subscription: row, kind, onDone: reload }),
          })),
          { label: "Open Billing", icon: IconUser, to: userTabHref(row.userId, "billing") },
        ]}
        notice={
          <Group gap="xs" role="group" aria-label="Status">
            {statuses.map((status) => (
              <ToggleButton key={status} isPressed={chosen.includes(status)} onClick={() => toggle(status)}>
                {statusTexts[status].label}
              </ToggleButton>
            ))}
          </Group>
        }
        toolbar={
          <>
            <SavedViews name="subscriptions" list={list} />
            <Button
              variant="default"
              size="sm"
              px="sm"
              leftSection={<IconDownload size={17} stroke={1.8} aria-hidden="true" />}
              disabled={download.isRunning}
              onClick={() =>
                download.start("Exporting the subscriptions", "/v1/reports/download-subscriptions", {
                  ...(filter.search ? { search: filter.search } : {}),
                  statuses: chosen,
                  format: "csv",
                })
              }
            >
              Export these rows
            </Button>
          </>
        }
        emptyMessage={list.isFiltered ? "No subscriptions have this status." : "No subscriptions."}
        error={data ? undefined : error}
        failure="Unable to load the subscriptions."
        onRetry={reload}
      />
      {download.progress}
    </>
  );
}

/** Page with all subscriptions and what is overdue. */
export default function SubscriptionsPage() {
  return (
    <PageLayout title={paths.subscriptions.title} lead="Plans, renewals and overdue payments of all customers.">
      <DefaultView list="subscriptions" filters={subscriptionFilterParams}>
        {(view) => <SubscriptionsTable view={view} />}
      </DefaultView>
    </PageLayout>
  );
}
