import { Badge, Button, Group, Text } from "@mantine/core";
import { IconPencil, IconPlus, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { useStaffRole } from "#web/platform/staff-role.tsx";
import { discountTypes } from "#schema/promo-code.ts";
import { findLabel } from "#schema/closed-list.ts";
import { type PromoCodeFieldsFragment, usePromoCodesQuery } from "#web/generated/graphql.ts";
import { lazyDialog } from "#web/ui/lazy-part.tsx";
import { useRequestedAction } from "#web/platform/use-requested-action.ts";
import { SavedViews } from "#web/ui/lists/saved-views.tsx";
import { useUrlList } from "#web/ui/lists/use-url-list.ts";
import { type Column, DataTable } from "#web/ui/table/data-table.tsx";
import { DeletePromoCodeDialog } from "./delete-promo-code-dialog.tsx";
import { formatExpiry, formatDiscount } from "./format-discount.ts";

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
    title: "Expiry Date",
    text: ({ expiresAt }) => formatExpiry(expiresAt).shown,
    sortBy: ({ expiresAt }) => expiresAt ?? "9999",
    render: Expiry,
  },
  { title: "One time use only", text: ({ isOneTimeUseOnly }) => (isOneTimeUseOnly ? "Yes" : "No") },
  {
    title: "Times used",
    text: ({ timesUsed }) => String(timesUsed),
    sortBy: ({ timesUsed }) => timesUsed,
    align: "right",
    wrap: "never",
  },
];

function Expiry({ expiresAt, isExpired }: PromoCodeFieldsFragment) {
  if (expiresAt === null)
    return (
      <Text span inherit c="dimmed">
        Never
      </Text>
    );
  return (
    <Group component="span" gap="xs">
      {formatExpiry(expiresAt).shown}
      {isExpired && (
        <Badge size="md" color="gray">
          Expired
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
