import { Anchor, Checkbox, Group, Progress, Text } from "@mantine/core";
import { Link } from "react-router-dom";
import { formatCount, formatNumber } from "#schema/numbers.ts";
import { type SeatUsageQuery, useSeatUsageQuery } from "#web/generated/graphql.ts";
import { expiryColumn } from "#web/licensing/licences/licence-expiry.tsx";
import { DefaultView, SavedViews } from "#web/ui/lists/saved-views.tsx";
import { useRemoteList } from "#web/ui/lists/use-remote-list.ts";
import { useUrlList } from "#web/ui/lists/use-url-list.ts";
import { paths } from "#web/platform/paths.ts";
import { type Column, DataTable } from "#web/ui/table/data-table.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Page that shows staff the seats of all concurrent licences. */
export default function AdminSeatsPage() {
  return (
    <PageLayout
      title={paths.adminSeats.title}
      lead="Seats in use on active licences, the fullest first. Open a licence to see who uses its seats."
    >
      <DefaultView list="seats" filters={seatFilterParams}>
        {(view) => <SeatUsageTable view={view} />}
      </DefaultView>
    </PageLayout>
  );
}

type Row = SeatUsageQuery["seatUsage"]["rows"][number];

const isFull = ({ seatsInUse, licence }: Row) => seatsInUse >= licence.numberOfUsers;
const getCustomer = ({ licence: { owner } }: Row) => owner.companyName || `${owner.firstName} ${owner.lastName}`;
const formatUse = ({ seatsInUse, licence }: Row) =>
  `${formatNumber(seatsInUse)} of ${formatNumber(licence.numberOfUsers)}`;

const columns: readonly Column<Row>[] = [
  {
    title: "Customer",
    text: getCustomer,
    wrap: "anywhere",
    render: (row) => (
      <Anchor component={Link} inherit to={paths.updateUser.href({ id: row.licence.owner.id })}>
        {getCustomer(row)}
      </Anchor>
    ),
  },
  {
    title: "Licence",
    text: ({ licence }) => licence.supportCode,
    wrap: "never",
    render: ({ licence }) => (
      <Anchor component={Link} inherit to={paths.seats.href({ licenceId: licence.id })}>
        {licence.supportCode}
      </Anchor>
    ),
  },
  { title: "Level", text: ({ licence }) => licence.subscriptionLevel },
  {
    title: "Seats in use",
    text: formatUse,
    wrap: "never",
    render: (row) => (
      <Group gap="sm" wrap="nowrap">
        <Progress
          flex="0 0 4rem"
          value={Math.min(100, (100 * row.seatsInUse) / row.licence.numberOfUsers)}
          color={isFull(row) ? "var(--xp-milestone)" : "var(--xp-bar)"}
          aria-hidden
        />
        <span data-break="never">{formatUse(row)}</span>
      </Group>
    ),
  },
  {
    title: "Denied in 7 days",
    text: ({ denials }) => formatNumber(denials),
    align: "right",
    wrap: "never",
    render: ({ denials }) => (
      <Text span inherit {...(denials > 0 ? { c: "var(--xp-critical)", fw: 560 } : { c: "dimmed" })}>
        {formatNumber(denials)}
      </Text>
    ),
  },
  {
    title: "Expires",
    text: ({ licence }) => expiryColumn.text(licence),
    render: ({ licence }) => expiryColumn.render?.(licence),
  },
];

const seatFilterParams = ["full"];

/**
 * Lists the licences with seats, the fullest first. Keeps the search and the filter in the URL. `view` has the parameters of
 * the default view.
 */
function SeatUsageTable({ view }: { view: URLSearchParams | null }) {
  const list = useUrlList({ sortable: false, rememberAs: "seats", filters: seatFilterParams, open: () => view });
  const onlyFull = list.params.get("full") === "1";
  const remote = useRemoteList(list, { queryKey: String(onlyFull) });
  const { data, previousData, error, refetch } = useSeatUsageQuery({
    variables: { filter: { search: remote.search, onlyFull }, ...remote.page },
  });
  const page = (data ?? previousData)?.seatUsage;

  function changeOnlyFull(isOn: boolean) {
    const params = new URLSearchParams(list.params);
    if (isOn) params.set("full", "1");
    else params.delete("full");
    list.apply(params);
  }

  return (
    <DataTable
      name="Seats"
      columns={columns}
      remote={remote.toTableList(page)}
      rows={page?.rows}
      rowId={({ licence }) => licence.id}
      toolbar={
        <>
          <Checkbox
            size="sm"
            label="Only full licences"
            checked={onlyFull}
            onChange={(event) => changeOnlyFull(event.currentTarget.checked)}
          />
          <SavedViews name="seats" list={list} />
        </>
      }
      notice={
        page && (
          <Text c="dimmed" size="sm" role="status">
            {formatNumber(page.seatsInUse)} of {formatNumber(page.seats)} seats in use on{" "}
            {formatCount(page.total, "licence")}.
          </Text>
        )
      }
      emptyMessage={onlyFull ? "No licence is full." : "No licences with seats."}
      error={data ? undefined : error}
      failure="Unable to load the seats."
      onRetry={refetch}
    />
  );
}
