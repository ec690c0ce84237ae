import { IconDeviceDesktop, IconDownload, IconTimeline, IconUsers } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { brand } from "#schema/brand.ts";
import { needsSeat } from "#schema/licence.ts";
import { paths } from "#web/platform/paths.ts";
import type { MyAccountQuery } from "#web/generated/graphql.ts";
import { type Column, DataTable } from "#web/ui/table/data-table.tsx";
import type { RowAction } from "#web/ui/table/row-actions-menu.tsx";
import { formatInstaller } from "#web/releases/software/format-installer.ts";
import { ExpiryDate, formatPeriodEnd } from "./licence-expiry.tsx";
import { licenceCodeActions } from "./licence-code.tsx";
import { LicenceCodeDialog } from "./licence-code-dialog.tsx";

/** A licence in its owner's list. */
export type OwnLicence = MyAccountQuery["me"]["licences"][number];

const columns: readonly Column<OwnLicence>[] = [
  { title: "Product", text: (licence) => licence.product },
  { title: "Subscription Level", text: (licence) => licence.subscriptionLevel },
  {
    title: "Expiry Date",
    text: formatPeriodEnd,
    sortBy: (licence) => licence.periodEndsAt,
    render: (licence) => <ExpiryDate licence={licence} />,
  },
];

/** Facts about the installer shown next to its download. */
export type InstallerFacts = NonNullable<MyAccountQuery["installer"]>;

export interface LicencesTableProps {
  /** Undefined while loading. */
  licences: readonly OwnLicence[] | undefined;
  /** Null if no installer is published; then no download is offered. */
  installer: InstallerFacts | null | undefined;
  error: unknown;
  onRetry: () => void;
  /** Link for getting a first licence, shown below the empty state. */
  emptyAction?: ReactNode;
}

/** Lists the customer's licences with their actions. */
export function LicencesTable({ licences, installer, error, onRetry, emptyAction }: LicencesTableProps) {
  const [shown, setShown] = useState<OwnLicence | null>(null);

  const actions = (licence: OwnLicence): RowAction[] => [
    ...licenceCodeActions(licence.licenceCode, () => setShown(licence)),
    {
      label: "Manage Activated Devices",
      icon: IconDeviceDesktop,
      to: paths.activatedDevices.href({ licenceId: licence.id, userId: "account" }),
    },
    {
      label: "View licence history",
      icon: IconTimeline,
      to: paths.licenceHistory.href({ licenceId: licence.id }),
    },
    ...(needsSeat(licence.licenceActivationType)
      ? [{ label: "Seats", icon: IconUsers, to: paths.seats.href({ licenceId: licence.id }) }]
      : []),
    ...(installer
      ? [
          {
            label: "Download",
            note: formatInstaller(installer),
            icon: IconDownload,
            download: brand.installerPath,
          },
        ]
      : []),
  ];

  return (
    <>
      <DataTable
        name="Licences"
        columns={columns}
        rows={licences}
        rowId={(licence) => licence.id}
        pageSize={10}
        rowLabel={(licence) => `${licence.product} ${licence.subscriptionLevel}`}
        actions={actions}
        emptyMessage="Sorry, you don't have any licence keys yet."
        emptyAction={emptyAction}
        error={error}
        failure="Unable to fetch your licences."
        onRetry={onRetry}
      />
      <LicenceCodeDialog licence={shown} onClose={() => setShown(null)} />
    </>
  );
}
