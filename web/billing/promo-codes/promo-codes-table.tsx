import { Badge, Button, Group, Text } from "@mantine/core";
import { IconPencil, IconPlus, IconTrash } from "@tabler/icons-react";
import { useStaffRole } from "#web/platform/staff-role.tsx";
import { formatNumber } from "#schema/numbers.ts";
import { formatPlanPrices } from "#schema/plan-catalogue.ts";
import { discountTypes } from "#schema/promo-code.ts";
import { findLabel } from "#schema/closed-list.ts";
import {
  type PromoCodeFieldsFragment,
  useDeletePromoCodeMutation,
  usePromoCodesQuery,
  useRestorePromoCodeMutation,
} from "#web/generated/graphql.ts";
import { confirmAction, useOpenDialog } from "#web/ui/dialogs.tsx";
import { useRequestedAction } from "#web/platform/use-requested-action.ts";
import { DefaultView, SavedViews } from "#web/ui/lists/saved-views.tsx";
import { useUrlList } from "#web/ui/lists/use-url-list.ts";
import { type Column, DataTable } from "#web/ui/table/data-table.tsx";
import { formatDiscount, formatLimit } from "./format-discount.ts";
import { paths } from "#web/platform/paths.ts";
import { Moment } from "#web/ui/moment.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

const columns: readonly Column<PromoCodeFieldsFragment>[] = [
  {
    title: "Promo Code",
    text: ({ code }) => code,
    wrap: "anywhere",
    render: ({ code }) => (
      <Text span inherit fw={560}>
        {code}
      </Text>
    ),
  },
  { title: "Discount type", text: ({ discountType }) => findLabel(discountTypes, discountType) },
  {
    title: "Discount value",
    text: formatDiscount,
    // Percentages first, then amounts.
    sortBy: ({ basisPoints, amountCents }) => basisPoints ?? 1_000_000 + (amountCents ?? 0),
    align: "right",
    wrap: "never",
  },
  { title: "Plans", text: ({ planPrices }) => formatPlanPrices(planPrices.map(({ id }) => id)) || "All" },
  {
    title: "Start Date",
    text: ({ startsAt }) => formatLimit(startsAt),
    sortBy: ({ startsAt }) => startsAt ?? "",
    render: ({ startsAt, hasStarted }) => (
      <Limit moment={startsAt} none="–" badge={hasStarted ? null : "Not yet started"} />
    ),
  },
  {
    title: "Expiry Date",
    text: ({ expiresAt }) => formatLimit(expiresAt),
    sortBy: ({ expiresAt }) => expiresAt ?? "9999",
    render: ({ expiresAt, isExpired }) => (
      <Limit moment={expiresAt} none="Never" badge={isExpired ? "Expired" : null} />
    ),
  },
  { title: "One time use only", text: ({ isOneTimeUseOnly }) => (isOneTimeUseOnly ? "Yes" : "No") },
  {
    title: "Times used",
    text: ({ timesUsed, maximumRedemptions }) =>
      maximumRedemptions === null
        ? formatNumber(timesUsed)
        : `${formatNumber(timesUsed)} of ${formatNumber(maximumRedemptions)}`,
    sortBy: ({ timesUsed }) => timesUsed,
    align: "right",
    wrap: "never",
  },
];

function Limit({ moment, none, badge }: { moment: string | null; none: string; badge: string | null }) {
  if (moment === null)
    return (
      <Text span inherit c="dimmed">
        {none}
      </Text>
    );
  return (
    <Group component="span" gap="xs">
      <Moment at={moment} as={formatLimit} />
      {badge && (
        <Badge size="md" color="gray">
          {badge}
        </Badge>
      )}
    </Group>
  );
}

/** Table of all promo codes, with actions to add, edit and delete them. `view` has the parameters of the default view. */
function PromoCodesTable({ view }: { view: URLSearchParams | null }) {
  const list = useUrlList({ pageSize: 10, rememberAs: "promo-codes", open: () => view });
  const { data, error, refetch } = usePromoCodesQuery();
  const openDialog = useOpenDialog();
  const [deletePromoCode] = useDeletePromoCodeMutation();
  const [restorePromoCode] = useRestorePromoCodeMutation();
  const reload = () => void refetch().catch(() => undefined);
  const edit = (promoCode: PromoCodeFieldsFragment | null) =>
    openDialog(() => import("./promo-code-dialog.tsx"), { promoCode, onSaved: reload });
  const canEdit = useStaffRole("finance");
  useRequestedAction(
    {
      add: () => canEdit && edit(null),
      edit: (id) => {
        const promoCode = data?.promoCodes.find((one) => one.id === id);
        if (canEdit && promoCode) edit(promoCode);
      },
    },
    data !== undefined,
  );

  function remove({ id, code }: PromoCodeFieldsFragment) {
    const variables = { id };
    confirmAction({
      title: "Delete promo code",
      confirmLabel: "Delete",
      danger: true,
      text: `Customers can't use ${code} any more. Discounts already given still apply. Do you want to delete this promo code?`,
      run: () => deletePromoCode({ variables }),
      success: "You have successfully deleted the promo code.",
      failure: "Unable to delete the promo code.",
      undo: {
        run: () => restorePromoCode({ variables }),
        success: "The promo code has been restored.",
        failure: "Unable to restore the promo code.",
      },
      // After an error too, because another admin may have deleted the code.
      onSettled: reload,
    });
  }

  return (
    <DataTable
      name="Promo Codes"
      columns={columns}
      rows={data?.promoCodes}
      rowId={({ id }) => id}
      list={list}
      rowLabel={({ code }) => code}
      actions={(promoCode) =>
        canEdit
          ? [
              { label: "Edit", icon: IconPencil, onSelect: () => edit(promoCode) },
              { label: "Delete", icon: IconTrash, danger: true, onSelect: () => remove(promoCode) },
            ]
          : []
      }
      toolbar={
        <>
          <SavedViews name="promo-codes" list={list} />
          {canEdit && (
            <Button
              size="sm"
              px="sm"
              leftSection={<IconPlus size={18} stroke={1.8} aria-hidden="true" />}
              onClick={() => edit(null)}
            >
              Add a promo code
            </Button>
          )}
        </>
      }
      emptyMessage="No Promo Codes."
      error={data ? undefined : error}
      failure="Unable to load the promo codes."
      onRetry={reload}
    />
  );
}

/** Page on which staff add, change and delete promo codes. */
export default function ManagePromoCodesPage() {
  return (
    <PageLayout title={paths.managePromoCodes.title} lead="Discounts on the first invoice of a subscription.">
      <DefaultView list="promo-codes">{(view) => <PromoCodesTable view={view} />}</DefaultView>
    </PageLayout>
  );
}
