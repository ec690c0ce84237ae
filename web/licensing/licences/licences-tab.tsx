import { Stack, Text } from "@mantine/core";
import { useState } from "react";
import { ForStaffRole, useStaffRole } from "#web/platform/staff-role.tsx";
import { licenceCategories, licenceTypes } from "#schema/licence.ts";
import { findLabel } from "#schema/closed-list.ts";
import { useResetDeactivationCounterMutation, useUserLicencesQuery } from "#web/generated/graphql.ts";
import { Button } from "#web/ui/button.tsx";
import { useUrlList } from "#web/ui/lists/use-url-list.ts";
import { type Column, DataTable } from "#web/ui/table/data-table.tsx";
import { ExpiryDate, formatPeriodEnd } from "./licence-expiry.tsx";
import { lazyDialog } from "#web/ui/lazy-part.tsx";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import { useRequestedAction } from "#web/platform/use-requested-action.ts";
import { notify } from "#web/platform/notifications.ts";
import { type StaffLicence, useLicenceActions } from "./use-licence-actions.tsx";

const AddLicenceDialog = lazyDialog(
  () => import("./add-licence-dialog.tsx").then((file) => file.AddLicenceDialog),
  ({ opened }) => opened,
);

const formatLicenceName = (licence: StaffLicence) => `${licence.product} ${licence.subscriptionLevel}`;

const columns: readonly Column<StaffLicence>[] = [
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

/** Lists a customer's licences with the actions available to admins. */
export function LicencesTab({ userId }: { userId: string }) {
  const list = useUrlList({ pageSize: 10, rememberAs: "user-licences" });
  const [adding, setAdding] = useState(false);
  const [resetting, setResetting] = useState(false);
  const seesCodes = useStaffRole("support");
  const { data, error, refetch } = useUserLicencesQuery({ variables: { userId, seesCodes } });
  const licences = data?.user.licences;
  const reload = () => void refetch().catch(() => undefined);
  const { actions, dialogs } = useLicenceActions(userId, licences, reload);
  useRequestedAction({ add: () => setAdding(true), "reset-counter": () => setResetting(true) }, licences !== undefined);

  return (
    <>
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
            <Button size="sm" onClick={() => setAdding(true)}>
              Add A Licence
            </Button>
          </ForStaffRole>
        }
      />
      {dialogs}
      <ResetCounterDialog userId={userId} opened={resetting} onClose={() => setResetting(false)} />
      <AddLicenceDialog userId={userId} opened={adding} onClose={() => setAdding(false)} onAdded={reload} />
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
