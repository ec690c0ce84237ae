import { Badge, Button, Group, Text } from "@mantine/core";
import { IconPencil, IconPlus, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { useStaffRole } from "#web/platform/staff-role.tsx";
import { formatPlanPrices } from "#schema/plan-catalogue.ts";
import { discountTypes } from "#schema/promo-code.ts";
import { findLabel } from "#schema/closed-list.ts";
import { type PromoCodeFieldsFragment, usePromoCodesQuery } from "#web/generated/graphql.ts";
import { lazyDialog } from "#web/ui/lazy-part.tsx";
import { useRequestedAction } from "#web/platform/use-requested-action.ts";
import { SavedViews } from "#web/ui/lists/saved-views.tsx";
import { useUrlList } from "#web/ui/lists/use-url-list.ts";
import { type Column, DataTable } from "#web/ui/table/data-table.tsx";
import { DeletePromoCodeDialog } from "./delete-promo-code-dialog.tsx";
import { formatDiscount, formatLimit } from "./format-discount.ts";

const PromoCodeDialog = lazyDialog(
  () => import("./promo-code-dialog.tsx").then((file) => file.PromoCodeDialog),
  ({ edited }) => edited !== null,
);

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
  {
    title: "Plans",
    text: ({ planPrices }) => formatPlanPrices(planPrices.map(({ id }) => id)) || "All",
  },
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
      maximumRedemptions === null ? String(timesUsed) : `${timesUsed} of ${maximumRedemptions}`,
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
      {formatLimit(moment)}
      {badge && (
        <Badge size="md" color="gray">
          {badge}
        </Badge>
      )}
    </Group>
  );
}

/** Table of all promo codes, with actions to add, edit and delete them. `view` has the parameters of the default view. */
export function PromoCodesTable({ view }: { view: URLSearchParams | null }) {
  const list = useUrlList({ pageSize: 10, rememberAs: "promo-codes", open: () => view });
  const { data, error, refetch } = usePromoCodesQuery();
  const [edited, setEdited] = useState<{ promoCode: PromoCodeFieldsFragment | null } | null>(null);
  const [deleting, setDeleting] = useState<PromoCodeFieldsFragment | null>(null);
  useRequestedAction(
    {
      add: () => setEdited({ promoCode: null }),
      edit: (id) => {
        const promoCode = data?.promoCodes.find((one) => one.id === id);
        if (promoCode) setEdited({ promoCode });
      },
    },
    data !== undefined,
  );
  const canEdit = useStaffRole("finance");
  const reload = () => void refetch().catch(() => undefined);

  return (
    <>
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
                { label: "Edit", icon: IconPencil, onSelect: () => setEdited({ promoCode }) },
                {
                  label: "Delete",
                  icon: IconTrash,
                  danger: true,
                  onSelect: () => setDeleting(promoCode),
                },
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
                onClick={() => setEdited({ promoCode: null })}
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
      <PromoCodeDialog edited={edited} onClose={() => setEdited(null)} onSaved={reload} />
      <DeletePromoCodeDialog promoCode={deleting} onClose={() => setDeleting(null)} onSettled={reload} />
    </>
  );
}
