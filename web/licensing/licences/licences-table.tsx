import { IconDownload } from "@tabler/icons-react";
import { brand } from "#schema/brand.ts";
import type { MyAccountQuery } from "#web/generated/graphql.ts";
import { useOpenDialog } from "#web/ui/dialogs.tsx";
import { type Column, DataTable } from "#web/ui/table/data-table.tsx";
import type { RowAction } from "#web/ui/table/row-actions-menu.tsx";
import { formatInstaller } from "#web/releases/software/format-installer.ts";
import { expiryColumn } from "./licence-expiry.tsx";
import { licenceCodeActions, LicenceCodeDialog, licencePageActions } from "./licence-code.tsx";

export type OwnLicence = MyAccountQuery["me"]["licences"][number];

const columns: readonly Column<OwnLicence>[] = [
  { title: "Product", text: (licence) => licence.product },
  { title: "Subscription Level", text: (licence) => licence.subscriptionLevel },
  expiryColumn,
];

interface LicencesTableProps {
  /** Undefined while loading. */
  licences: readonly OwnLicence[] | undefined;
  /** Null if no installer is published; then no download is offered. */
  installer: MyAccountQuery["installer"] | undefined;
  error: unknown;
  onRetry: () => unknown;
}

/** Lists the customer's licences with their actions. */
export function LicencesTable({ licences, installer, error, onRetry }: LicencesTableProps) {
  const openDialog = useOpenDialog();

  const actions = (licence: OwnLicence): RowAction[] => [
    ...licenceCodeActions(licence.licenceCode, () =>
      openDialog(async () => ({ default: LicenceCodeDialog }), { licence }),
    ),
    ...licencePageActions(licence, "account"),
    ...(installer
      ? [{ label: "Download", note: formatInstaller(installer), icon: IconDownload, download: brand.installerPath }]
      : []),
  ];

  return (
    <DataTable
      name="Licences"
      columns={columns}
      rows={licences}
      rowId={(licence) => licence.id}
      pageSize={10}
      toolsFrom={6}
      rowLabel={(licence) => `${licence.product} ${licence.subscriptionLevel}`}
      actions={actions}
      emptyMessage="Sorry, you don't have any licence keys yet."
      error={error}
      failure="Unable to fetch your licences."
      onRetry={onRetry}
    />
  );
}
