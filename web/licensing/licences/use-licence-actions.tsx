import {
  IconAdjustments,
  IconBan,
  IconCalendarPlus,
  IconChartBar,
  IconKey,
  IconPencil,
  IconRestore,
  IconUserPlus,
} from "@tabler/icons-react";
import { Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { hasSeatsByInvoice, isTrialLevel } from "#schema/product-level.ts";
import {
  type ManagedLicenceFragment,
  useDeactivateLicenceMutation,
  useReinstateLicenceMutation,
} from "#web/generated/graphql.ts";
import { refreshUserSummary } from "#web/people/refresh-user-summary.ts";
import { userTabHref } from "#web/platform/paths.ts";
import { useStaffRole } from "#web/platform/staff-role.tsx";
import { useRequestedAction } from "#web/platform/use-requested-action.ts";
import { confirmAction, useOpenDialog } from "#web/ui/dialogs.tsx";
import { useReportDownload } from "#web/ui/report-download/use-report-download.tsx";
import type { RowAction } from "#web/ui/table/row-actions-menu.tsx";
import { licenceCodeActions, LicenceCodeDialog, licencePageActions } from "./licence-code.tsx";
import { useReissueCode } from "./use-reissue-code.tsx";

/** A licence as staff see it. Only support gets the code. */
export type StaffLicence = ManagedLicenceFragment & { readonly licenceCode?: string };

/** Date range that covers every licence. */
const ALL_TIME = { startDate: "2000-01-01", endDate: "2099-12-31" };

/**
 * Returns the actions of a customer's licence that staff may use, and the progress of the report that one of them starts. The
 * URL can request one.
 * @param licences undefined while they load
 */
export function useLicenceActions(
  userId: string,
  licences: readonly StaffLicence[] | undefined,
  reload: () => void,
): { actions: (licence: StaffLicence) => RowAction[]; progress: ReactNode } {
  const openDialog = useOpenDialog();
  const usage = useReportDownload();
  const reissueCode = useReissueCode();
  // Of staff, only support sees licence codes.
  const canEdit = useStaffRole("support");
  const isFinance = useStaffRole("finance");
  const { deactivate, reinstate } = useLicenceStatus(userId);

  const showCode = (licence: StaffLicence) => () =>
    openDialog(async () => ({ default: LicenceCodeDialog }), { licence });
  const update = (licence: StaffLicence) =>
    openDialog(() => import("./update-licence-dialog.tsx"), { userId, licence });
  const extendTrial = (licence: StaffLicence) =>
    openDialog(() => import("./extend-trial-dialog.tsx"), { userId, licence, onDone: reload });
  const changeSeats = (licence: StaffLicence) =>
    openDialog(() => import("./change-seats-dialog.tsx"), { userId, licence });

  const reissue = ({ id }: StaffLicence) => reissueCode({ userId, licenceId: id });

  const request = (open: (licence: StaffLicence) => void) => (licenceId: string | null) => {
    const licence = licences?.find(({ id }) => id === licenceId);
    // A deactivated licence can only be reinstated.
    if (licence && canEdit && (licence.status === "REVOKED") === (open === reinstate)) open(licence);
  };
  useRequestedAction(
    {
      update: request(update),
      "extend-trial": request(extendTrial),
      seats: request(changeSeats),
      "reissue-code": request(reissue),
      deactivate: request(deactivate),
      reinstate: request(reinstate),
    },
    licences !== undefined,
  );

  const viewUsage = ({ supportCode, licenceCode = "" }: StaffLicence) =>
    usage.start(`Preparing the usage report for ${supportCode}`, "/v1/reports/download-licence-code-report", {
      licenceCode,
      ...ALL_TIME,
    });

  const actions = (licence: StaffLicence): RowAction[] => {
    const { id, licenceCode, productLevel } = licence;
    const isRevoked = licence.status === "REVOKED";
    const canChange = canEdit && !isRevoked;
    const canExtend = canChange && isTrialLevel(productLevel);
    const canAddSeats = isFinance && !isRevoked && hasSeatsByInvoice(productLevel);
    const seats = userTabHref(userId, "billing", `&action=add-seats&on=${id}`);
    return [
      ...(licenceCode ? licenceCodeActions(licenceCode, showCode(licence)) : []),
      canChange && { label: "Update", icon: IconPencil, onSelect: () => update(licence) },
      canExtend && { label: "Extend Trial", icon: IconCalendarPlus, onSelect: () => extendTrial(licence) },
      canChange && { label: "Change Seats", icon: IconAdjustments, onSelect: () => changeSeats(licence) },
      canChange && { label: "Re-issue Code", icon: IconKey, onSelect: () => reissue(licence) },
      canAddSeats && { label: "Add seats", icon: IconUserPlus, to: seats },
      canEdit && licenceCode && { label: "View licence usage", icon: IconChartBar, onSelect: () => viewUsage(licence) },
      ...licencePageActions(licence, userId),
      canEdit && isRevoked && { label: "Reinstate", icon: IconRestore, onSelect: () => reinstate(licence) },
      canChange && { label: "Deactivate", icon: IconBan, danger: true, onSelect: () => deactivate(licence) },
    ].filter((action) => typeof action === "object");
  };

  return { actions, progress: usage.progress };
}

/** Returns the actions that end a licence and bring it back, each after a confirmation. */
function useLicenceStatus(userId: string) {
  const [deactivateLicence, { client }] = useDeactivateLicenceMutation();
  const [reinstateLicence] = useReinstateLicenceMutation();
  const format = ({ product, subscriptionLevel, supportCode }: StaffLicence) =>
    `${product} ${subscriptionLevel} (${supportCode})`;
  const getReinstating = (licence: StaffLicence) => ({
    run: async () => {
      await reinstateLicence({ variables: { userId, licenceId: licence.id } });
      refreshUserSummary(client);
    },
    success: "You have successfully reinstated the licence.",
    failure: "Unable to reinstate the licence.",
  });
  return {
    deactivate: (licence: StaffLicence) =>
      confirmAction({
        title: "Deactivate licence",
        confirmLabel: "Deactivate",
        danger: true,
        text: (
          <Stack gap="sm">
            <p>
              {format(licence)} will stop working on all of its devices. A customer with a confirmed address is notified
              by email. You can reinstate the licence later.
            </p>
            {licence.isSubscribed && (
              <p>
                A subscription pays for this licence. It ends immediately, and the card is not charged again. No refund
                is issued automatically. If one is due, refund the payment on the Billing tab. Reinstating the licence
                doesn't resume the subscription.
              </p>
            )}
          </Stack>
        ),
        run: async () => {
          await deactivateLicence({ variables: { userId, licenceId: licence.id } });
          refreshUserSummary(client);
        },
        success: "You have successfully deactivated the licence.",
        failure: "Unable to deactivate the licence.",
        // Reinstating doesn't resume a subscription, so it wouldn't undo everything.
        undo: licence.isSubscribed ? undefined : getReinstating(licence),
      }),
    reinstate: (licence: StaffLicence) =>
      confirmAction({
        title: "Reinstate licence",
        confirmLabel: "Reinstate",
        text: `${format(licence)} will work again with the same licence code and devices until its expiry date. An ended subscription is not resumed. A customer with a confirmed address is notified by email, unless the licence has expired.`,
        ...getReinstating(licence),
      }),
  };
}
