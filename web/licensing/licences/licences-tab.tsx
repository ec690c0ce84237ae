import { Stack, Text } from "@mantine/core";
import { ForStaffRole, useStaffRole } from "#web/platform/staff-role.tsx";
import { licenceCategories, licenceTypes } from "#schema/licence-types.ts";
import { findLabel } from "#schema/closed-list.ts";
import { useResetDeactivationCounterMutation, useUserLicencesQuery } from "#web/generated/graphql.ts";
import { Button } from "#web/ui/button.tsx";
import { useUrlList } from "#web/ui/lists/use-url-list.ts";
import { type Column, DataTable } from "#web/ui/table/data-table.tsx";
import { expiryColumn } from "./licence-expiry.tsx";
import { confirmAction, useOpenDialog } from "#web/ui/dialogs.tsx";
import { useRequestedAction } from "#web/platform/use-requested-action.ts";
import { type StaffLicence, useLicenceActions } from "./use-licence-actions.tsx";

const formatLicenceName = (licence: StaffLicence) => `${licence.product} ${licence.subscriptionLevel}`;

const columns: readonly Column<StaffLicence>[] = [
  {
    title: "Product",
    // The search finds the support code too.
    text: (licence) => `${formatLicenceName(licence)} ${licence.supportCode}`,
    render: (licence) => (
      <Stack component="span" gap={2}>
        {formatLicenceName(licence)}
        <Text component="code" ff="monospace" fz="xs" c="dimmed" data-break="never">
          {licence.supportCode}
        </Text>
      </Stack>
    ),
  },
  { title: "Licence type", text: (licence) => findLabel(licenceTypes, licence.licenceType) },
  { title: "Licence category", text: (licence) => findLabel(licenceCategories, licence.licenceCategory) },
  expiryColumn,
  { title: "PO number", text: (licence) => licence.purchaseOrderNumber ?? "" },
  { title: "Project term", text: (licence) => licence.projectTerm ?? "" },
];

/** Lists a customer's licences with the actions available to admins. */
export function LicencesTab({ userId }: { userId: string }) {
  const list = useUrlList({ pageSize: 10, rememberAs: "user-licences" });
  const openDialog = useOpenDialog();
  const [resetCounter] = useResetDeactivationCounterMutation();
  const seesCodes = useStaffRole("support");
  const { data, error, refetch } = useUserLicencesQuery({ variables: { userId, seesCodes } });
  const licences = data?.user.licences;
  const reload = () => void refetch().catch(() => undefined);
  const { actions, progress } = useLicenceActions(userId, licences, reload);
  const add = () => openDialog(() => import("./add-licence-dialog.tsx"), { userId, onAdded: reload });
  const reset = () =>
    confirmAction({
      title: "Reset Licence Deactivation Counter",
      confirmLabel: "Reset",
      text: "Deactivations this user has made so far will no longer count towards their annual limit. The user will be able to deactivate as many devices as the limit allows.",
      run: () => resetCounter({ variables: { userId } }),
      success: "The user's licence deactivation counter has been reset successfully.",
      failure: "Unable to reset the user's licence deactivation counter.",
    });
  const requested = { add: () => seesCodes && add(), "reset-counter": () => seesCodes && reset() };
  useRequestedAction(requested, licences !== undefined);

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
            <Button size="sm" variant="default" onClick={reset}>
              Reset Licence Deactivation Counter
            </Button>
            <Button size="sm" onClick={add}>
              Add A Licence
            </Button>
          </ForStaffRole>
        }
      />
      {progress}
    </>
  );
}
