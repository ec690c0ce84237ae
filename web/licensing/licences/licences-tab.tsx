import { Stack, Text } from "@mantine/core";
import {
  IconAdjustments,
  IconBan,
  IconChartBar,
  IconDeviceDesktop,
  IconPencil,
  IconRestore,
  IconTimeline,
  IconUsers,
} from "@tabler/icons-react";
import { Suspense, useState } from "react";
import { ForStaffRole, useStaffRole } from "#web/platform/staff-role.tsx";
import { licenceCategories, licenceTypes, needsSeat } from "#schema/licence.ts";
import { findLabel } from "#schema/closed-list.ts";
import { paths } from "#web/platform/paths.ts";
import { ReportProgress } from "#web/ui/report-download/report-progress.tsx";
import { useReportDownload } from "#web/ui/report-download/use-report-download.ts";
import {
  type UserLicencesQuery,
  useResetDeactivationCounterMutation,
  useUserLicencesQuery,
} from "#web/generated/graphql.ts";
import { Button } from "#web/ui/button.tsx";
import { useUrlList } from "#web/ui/lists/use-url-list.ts";
import { type Column, DataTable } from "#web/ui/table/data-table.tsx";
import type { RowAction } from "#web/ui/table/row-actions-menu.tsx";
import { DeactivateLicenceDialog } from "./deactivate-licence-dialog.tsx";
import { ExpiryDate, formatPeriodEnd } from "./licence-expiry.tsx";
import { licenceCodeActions } from "./licence-code.tsx";
import { LicenceCodeDialog } from "./licence-code-dialog.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { ReinstateLicenceDialog } from "./reinstate-licence-dialog.tsx";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import { useRequestedAction } from "#web/platform/use-requested-action.ts";
import { notify } from "#web/platform/notifications.ts";

/** The forms need large dependencies, so they are loaded when first opened. */
const AddLicenceDialog = lazyPart(
  async () => ({ default: (await import("./add-licence-dialog.tsx")).AddLicenceDialog }),
  "notification",
);
const UpdateLicenceDialog = lazyPart(
  async () => ({ default: (await import("./update-licence-dialog.tsx")).UpdateLicenceDialog }),
  "notification",
);

const ChangeSeatsDialog = lazyPart(
  async () => ({ default: (await import("./change-seats-dialog.tsx")).ChangeSeatsDialog }),
  "notification",
);

type ListedLicence = UserLicencesQuery["user"]["licences"][number];

const formatLicenceName = (licence: ListedLicence) => `${licence.product} ${licence.subscriptionLevel}`;

const columns: readonly Column<ListedLicence>[] = [
  {
    title: "Product",
    // The search finds the support code too.
    text: (licence) => `${formatLicenceName(licence)} ${licence.supportCode}`,
    render: (licence) => (
      <Stack component="span" gap={2}>
        {formatLicenceName(licence)}
        <Text component="code" ff="monospace" fz="xs" c="dimmed" style={{ whiteSpace: "nowrap" }}>
          {licence.supportCode}
        </Text>
      </Stack>
    ),
  },
  { title: "Licence type", text: (licence) => findLabel(licenceTypes, licence.licenceType) },
  { title: "Licence category", text: (licence) => findLabel(licenceCategories, licence.licenceCategory) },
  {
    title: "Expiry Date",
    text: formatPeriodEnd,
    sortBy: (licence) => licence.periodEndsAt,
    render: (licence) => <ExpiryDate licence={licence} />,
  },
  { title: "PO number", text: (licence) => licence.purchaseOrderNumber ?? "" },
  { title: "Project term", text: (licence) => licence.projectTerm ?? "" },
];

/** Date range that covers every licence. */
const ALL_TIME = { startDate: "2000-01-01", endDate: "2099-12-31" };

type DialogName = "code" | "update" | "seats" | "deactivate" | "reinstate";

/** Lists a customer's licences with the actions available to admins. */
export function LicencesTab({ userId }: { userId: string }) {
  const list = useUrlList({ pageSize: 10, rememberAs: "user-licences" });
  const [dialog, setDialog] = useState<{ name: DialogName; licence: ListedLicence } | null>(null);
  const [formsWanted, setFormsWanted] = useState({ add: false, update: false, seats: false });
  const [adding, setAdding] = useState(false);
  const [resetting, setResetting] = useState(false);
  const usage = useReportDownload();
  // Of staff, only support sees licence codes.
  const canEdit = useStaffRole("support");
  const { data, error, refetch } = useUserLicencesQuery({ variables: { userId, seesCodes: canEdit } });
  const licences = data?.user.licences;

  const dialogLicence = (name: DialogName) => (dialog?.name === name ? dialog.licence : null);
  const close = () => setDialog(null);
  const reload = () => void refetch().catch(() => undefined);

  function openDialog(name: DialogName, licence: ListedLicence) {
    if (name === "update" || name === "seats") setFormsWanted({ ...formsWanted, [name]: true });
    setDialog({ name, licence });
  }

  const openRequested = (name: DialogName) => (licenceId: string | null) => {
    const licence = licences?.find(({ id }) => id === licenceId);
    // A deactivated licence can only be reinstated.
    if (licence && (licence.status === "REVOKED") === (name === "reinstate")) openDialog(name, licence);
  };
  function openAdding() {
    setFormsWanted({ ...formsWanted, add: true });
    setAdding(true);
  }
  useRequestedAction(
    {
      update: openRequested("update"),
      seats: openRequested("seats"),
      deactivate: openRequested("deactivate"),
      reinstate: openRequested("reinstate"),
      add: openAdding,
      "reset-counter": () => setResetting(true),
    },
    licences !== undefined,
  );

  const actions = (licence: ListedLicence): RowAction[] => [
    ...(licence.licenceCode ? licenceCodeActions(licence.licenceCode, () => openDialog("code", licence)) : []),
    ...(licence.status === "REVOKED" || !canEdit
      ? []
      : [
          { label: "Update", icon: IconPencil, onSelect: () => openDialog("update", licence) },
          { label: "Change Seats", icon: IconAdjustments, onSelect: () => openDialog("seats", licence) },
        ]),
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
        ? [{ label: "Reinstate", icon: IconRestore, onSelect: () => openDialog("reinstate", licence) }]
        : [
            {
              label: "Deactivate",
              icon: IconBan,
              danger: true,
              onSelect: () => openDialog("deactivate", licence),
            },
          ]),
  ];

  return (
    <>
      <ReportProgress download={usage} />
      <DataTable
        name="Licences"
        columns={columns}
        rows={licences}
        rowId={(licence) => licence.id}
        rowLabel={(licence) => `${formatLicenceName(licence)} ${licence.supportCode}`}
        actions={actions}
        list={list}
        emptyMessage="No Licences."
        error={licences ? undefined : error}
        failure="Unable to load the licences."
        onRetry={reload}
        toolbar={
          <ForStaffRole has="support">
            <Button size="sm" variant="default" onClick={() => setResetting(true)}>
              Reset Licence Deactivation Counter
            </Button>
            <Button size="sm" onClick={openAdding}>
              Add A Licence
            </Button>
          </ForStaffRole>
        }
      />
      <LicenceCodeDialog licence={dialogLicence("code")} onClose={close} />
      <DeactivateLicenceDialog userId={userId} licence={dialogLicence("deactivate")} onClose={close} />
      <ReinstateLicenceDialog userId={userId} licence={dialogLicence("reinstate")} onClose={close} />
      <ResetCounterDialog userId={userId} opened={resetting} onClose={() => setResetting(false)} />
      <Suspense fallback={null}>
        {formsWanted.add && (
          <AddLicenceDialog userId={userId} opened={adding} onClose={() => setAdding(false)} onAdded={reload} />
        )}
        {formsWanted.seats && <ChangeSeatsDialog userId={userId} licence={dialogLicence("seats")} onClose={close} />}
        {formsWanted.update && (
          <UpdateLicenceDialog userId={userId} licence={dialogLicence("update")} onClose={close} onConflict={reload} />
        )}
      </Suspense>
    </>
  );
}

/** Confirms resetting a customer's deactivation counter. */
function ResetCounterDialog(props: { userId: string; opened: boolean; onClose: () => void }) {
  const { userId, opened, onClose } = props;
  const [reset] = useResetDeactivationCounterMutation();

  async function confirm() {
    notify.clearErrors();
    try {
      await reset({ variables: { userId } });
      notify.success("The user's licence deactivation counter has been reset successfully.");
      onClose();
    } catch (error) {
      notify.failure(error, "Unable to reset the user's licence deactivation counter.");
    }
  }

  return (
    <ConfirmDialog
      opened={opened}
      title="Reset Licence Deactivation Counter"
      confirmLabel="Reset"
      onConfirm={confirm}
      onCancel={onClose}
    >
      Deactivations this user has made so far will no longer count towards their annual limit. The user will be able to
      deactivate as many devices as the limit allows.
    </ConfirmDialog>
  );
}
