import { IconBan, IconChartBar, IconDeviceDesktop, IconPencil, IconTimeline, IconUsers } from "@tabler/icons-react";
import { Suspense, useState } from "react";
import { labelOf, licenceCategories, licenceTypes, needsSeat } from "#schema/catalogue.ts";
import { paths } from "#web/platform/paths.ts";
import { ReportProgress } from "#web/ui/report-download/report-progress.tsx";
import { useReportDownload } from "#web/ui/report-download/use-report-download.ts";
import { type ManagedLicenceFragment, useUserLicencesQuery } from "#web/generated/graphql.ts";
import { Button } from "#web/ui/button.tsx";
import { messageOf } from "#web/platform/server-error.ts";
import { type Column, DataTable } from "#web/ui/table/data-table.tsx";
import type { RowAction } from "#web/ui/table/row-actions-menu.tsx";
import { DeactivateLicenceDialog } from "./deactivate-licence-dialog.tsx";
import { ExpiryDate, expiryDateOf } from "./licence-expiry.tsx";
import { licenceCodeActions, menuIcon as icon } from "./licence-code-actions.tsx";
import { LicenceCodeDialog } from "./licence-code-dialog.tsx";
import classes from "./licences-tab.module.css";
import { ResetCounterDialog } from "./reset-counter-dialog.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";

/** The forms bring their machinery along, so they come when first opened. */
const AddLicenceDialog = lazyPart(
  async () => ({ default: (await import("./add-licence-dialog.tsx")).AddLicenceDialog }),
  "notification",
);
const UpdateLicenceDialog = lazyPart(
  async () => ({ default: (await import("./update-licence-dialog.tsx")).UpdateLicenceDialog }),
  "notification",
);

const nameOf = (licence: ManagedLicenceFragment) => `${licence.product} ${licence.subscriptionLevel}`;

const columns: readonly Column<ManagedLicenceFragment>[] = [
  {
    title: "Product",
    // The search finds the support code too.
    text: (licence) => `${nameOf(licence)} ${licence.supportCode}`,
    render: (licence) => (
      <span className={classes.product}>
        {nameOf(licence)}
        <code className={classes.code}>{licence.supportCode}</code>
      </span>
    ),
  },
  { title: "Licence Type", text: (licence) => labelOf(licenceTypes, licence.licenceType) },
  { title: "Licence Category", text: (licence) => labelOf(licenceCategories, licence.licenceCategory) },
  {
    title: "Expiry Date",
    text: expiryDateOf,
    sortBy: (licence) => licence.periodEndsAt,
    render: (licence) => <ExpiryDate licence={licence} />,
  },
  { title: "PO Number", text: (licence) => licence.purchaseOrderNumber ?? "" },
  { title: "Project Term", text: (licence) => licence.projectTerm ?? "" },
];

/** From before there were licences until after the last one ends. */
const ALL_TIME = { startDate: "2000-01-01", endDate: "2099-12-31" };

type Asked = "code" | "update" | "deactivate";

/** A customer's licences and everything an admin does with them. */
export function LicencesTab({ userId }: { userId: string }) {
  const { data, error, refetch } = useUserLicencesQuery({ variables: { userId } });
  const [asked, setAsked] = useState<{ what: Asked; licence: ManagedLicenceFragment } | null>(null);
  const [formsWanted, setFormsWanted] = useState<{ add: boolean; update: boolean }>({ add: false, update: false });
  const [adding, setAdding] = useState(false);
  const [resetting, setResetting] = useState(false);
  const usage = useReportDownload();
  const licences = data?.user.licences;

  const subjectOf = (what: Asked) => (asked?.what === what ? asked.licence : null);
  const close = () => setAsked(null);
  const reload = () => void refetch().catch(() => undefined);

  function ask(what: Asked, licence: ManagedLicenceFragment) {
    if (what === "update") setFormsWanted({ ...formsWanted, update: true });
    setAsked({ what, licence });
  }

  const actions = (licence: ManagedLicenceFragment): RowAction[] => [
    ...licenceCodeActions(licence.licenceCode, () => ask("code", licence)),
    ...(licence.status === "REVOKED"
      ? []
      : [{ label: "Update", icon: <IconPencil {...icon} />, onSelect: () => ask("update", licence) }]),
    {
      label: "View Licence Usage",
      icon: <IconChartBar {...icon} />,
      onSelect: () =>
        usage.start(
          `Preparing the usage report of ${licence.supportCode}`,
          "/v1/reports/download-licence-code-report",
          {
            licenceCode: licence.licenceCode,
            ...ALL_TIME,
          },
        ),
    },
    {
      label: "Manage Activated Devices",
      icon: <IconDeviceDesktop {...icon} />,
      to: paths.activatedDevices.href({ licenceId: licence.id, userId }),
    },
    {
      label: "Explain This Licence",
      icon: <IconTimeline {...icon} />,
      to: paths.licenceHistory.href({ licenceId: licence.id }),
    },
    ...(needsSeat(licence.licenceActivationType)
      ? [{ label: "Seats", icon: <IconUsers {...icon} />, to: paths.seats.href({ licenceId: licence.id }) }]
      : []),
    ...(licence.status === "REVOKED"
      ? []
      : [
          {
            label: "Deactivate",
            icon: <IconBan {...icon} />,
            danger: true,
            onSelect: () => ask("deactivate", licence),
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
        rowLabel={(licence) => `${nameOf(licence)} ${licence.supportCode}`}
        actions={actions}
        pageSize={10}
        emptySentence="No Licences."
        error={error && !licences ? messageOf(error, "Unable to load the licences.") : undefined}
        onRetry={reload}
        toolbar={
          <>
            <Button variant="default" onClick={() => setResetting(true)}>
              Reset Licence Deactivation Counter
            </Button>
            <Button
              onClick={() => {
                setFormsWanted({ ...formsWanted, add: true });
                setAdding(true);
              }}
            >
              Add A Licence
            </Button>
          </>
        }
      />
      <LicenceCodeDialog licence={subjectOf("code")} onClose={close} />
      <DeactivateLicenceDialog userId={userId} licence={subjectOf("deactivate")} onClose={close} />
      <ResetCounterDialog userId={userId} opened={resetting} onClose={() => setResetting(false)} />
      <Suspense fallback={null}>
        {formsWanted.add && (
          <AddLicenceDialog userId={userId} opened={adding} onClose={() => setAdding(false)} onAdded={reload} />
        )}
        {formsWanted.update && (
          <UpdateLicenceDialog userId={userId} licence={subjectOf("update")} onClose={close} onConflict={reload} />
        )}
      </Suspense>
    </>
  );
}
