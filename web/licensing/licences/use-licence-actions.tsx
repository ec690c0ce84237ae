import {
  IconAdjustments,
  IconBan,
  IconCalendarPlus,
  IconChartBar,
  IconDeviceDesktop,
  IconPencil,
  IconRestore,
  IconTimeline,
  IconUserPlus,
  IconUsers,
} from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { hasSeatsByInvoice, isTrialLevel } from "#schema/product-level.ts";
import { needsSeat } from "#schema/licence.ts";
import type { ManagedLicenceFragment } from "#web/generated/graphql.ts";
import { paths } from "#web/platform/paths.ts";
import { useStaffRole } from "#web/platform/staff-role.tsx";
import { useRequestedAction } from "#web/platform/use-requested-action.ts";
import { lazyDialog } from "#web/ui/lazy-part.tsx";
import { ReportProgress } from "#web/ui/report-download/report-progress.tsx";
import { useReportDownload } from "#web/ui/report-download/use-report-download.ts";
import type { RowAction } from "#web/ui/table/row-actions-menu.tsx";
import { DeactivateLicenceDialog } from "./deactivate-licence-dialog.tsx";
import { licenceCodeActions } from "./licence-code.tsx";
import { LicenceCodeDialog } from "./licence-code-dialog.tsx";
import { ReinstateLicenceDialog } from "./reinstate-licence-dialog.tsx";

const UpdateLicenceDialog = lazyDialog(
  () => import("./update-licence-dialog.tsx").then((file) => file.UpdateLicenceDialog),
  ({ licence }) => licence !== null,
);
const ExtendTrialDialog = lazyDialog(
  () => import("./extend-trial-dialog.tsx").then((file) => file.ExtendTrialDialog),
  ({ licence }) => licence !== null,
);
const ChangeSeatsDialog = lazyDialog(
  () => import("./change-seats-dialog.tsx").then((file) => file.ChangeSeatsDialog),
  ({ licence }) => licence !== null,
);

/** A licence as staff see it. Only support gets the code. */
export type StaffLicence = ManagedLicenceFragment & { readonly licenceCode?: string };

/** Date range that covers every licence. */
const ALL_TIME = { startDate: "2000-01-01", endDate: "2099-12-31" };

type DialogName = "code" | "update" | "extend-trial" | "seats" | "deactivate" | "reinstate";

/**
 * Returns the actions of a customer's licence that staff may use, and the dialogs that they open. The URL can request one.
 * @param licences undefined while they load
 */
export function useLicenceActions(
  userId: string,
  licences: readonly StaffLicence[] | undefined,
  reload: () => void,
): { actions: (licence: StaffLicence) => RowAction[]; dialogs: ReactNode } {
  const [dialog, setDialog] = useState<{ name: DialogName; licence: StaffLicence } | null>(null);
  const usage = useReportDownload();
  // Of staff, only support sees licence codes.
  const canEdit = useStaffRole("support");
  const isFinance = useStaffRole("finance");
  const pick = (name: DialogName) => (dialog?.name === name ? dialog.licence : null);
  const onClose = () => setDialog(null);
  const open = (name: DialogName, licence: StaffLicence) => () => setDialog({ name, licence });

  const openRequested = (name: DialogName) => (licenceId: string | null) => {
    const licence = licences?.find(({ id }) => id === licenceId);
    // A deactivated licence can only be reinstated.
    if (licence && canEdit && (licence.status === "REVOKED") === (name === "reinstate")) setDialog({ name, licence });
  };
  useRequestedAction(
    {
      update: openRequested("update"),
      "extend-trial": openRequested("extend-trial"),
      seats: openRequested("seats"),
      deactivate: openRequested("deactivate"),
      reinstate: openRequested("reinstate"),
    },
    licences !== undefined,
  );

  const actions = (licence: StaffLicence): RowAction[] => [
    ...(licence.licenceCode ? licenceCodeActions(licence.licenceCode, open("code", licence)) : []),
    ...(licence.status === "REVOKED" || !canEdit
      ? []
      : [
          { label: "Update", icon: IconPencil, onSelect: open("update", licence) },
          ...(isTrialLevel(licence.productLevel)
            ? [{ label: "Extend Trial", icon: IconCalendarPlus, onSelect: open("extend-trial", licence) }]
            : []),
          { label: "Change Seats", icon: IconAdjustments, onSelect: open("seats", licence) },
        ]),
    ...(isFinance && hasSeatsByInvoice(licence.productLevel) && licence.status !== "REVOKED"
      ? [
          {
            label: "Add seats",
            icon: IconUserPlus,
            to: `${paths.updateUser.href({ id: userId })}?tab=billing&action=add-seats&on=${licence.id}`,
          },
        ]
      : []),
    ...(canEdit
      ? [
          {
            label: "View licence usage",
            icon: IconChartBar,
            onSelect: () =>
              usage.start(
                `Preparing the usage report for ${licence.supportCode}`,
                "/v1/reports/download-licence-code-report",
                { licenceCode: licence.licenceCode, ...ALL_TIME },
              ),
          },
        ]
      : []),
    {
      label: "Manage Activated Devices",
      icon: IconDeviceDesktop,
      to: paths.activatedDevices.href({ licenceId: licence.id, userId }),
    },
    {
      label: "View licence history",
      icon: IconTimeline,
      to: paths.licenceHistory.href({ licenceId: licence.id }),
    },
    ...(needsSeat(licence.licenceActivationType)
      ? [{ label: "Seats", icon: IconUsers, to: paths.seats.href({ licenceId: licence.id }) }]
      : []),
    ...(!canEdit
      ? []
      : licence.status === "REVOKED"
        ? [{ label: "Reinstate", icon: IconRestore, onSelect: open("reinstate", licence) }]
        : [{ label: "Deactivate", icon: IconBan, danger: true, onSelect: open("deactivate", licence) }]),
  ];

  return {
    actions,
    dialogs: (
      <>
        <ReportProgress download={usage} />
        <LicenceCodeDialog licence={pick("code")} onClose={onClose} />
        <DeactivateLicenceDialog userId={userId} licence={pick("deactivate")} onClose={onClose} />
        <ReinstateLicenceDialog userId={userId} licence={pick("reinstate")} onClose={onClose} />
        <ChangeSeatsDialog userId={userId} licence={pick("seats")} onClose={onClose} />
        <ExtendTrialDialog userId={userId} licence={pick("extend-trial")} onClose={onClose} onDone={reload} />
        <UpdateLicenceDialog userId={userId} licence={pick("update")} onClose={onClose} onConflict={reload} />
      </>
    ),
  };
}
