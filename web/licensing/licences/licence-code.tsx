import { Box, Paper, Text } from "@mantine/core";
import { IconCopy, IconDeviceDesktop, IconEye, IconTimeline, IconUsers } from "@tabler/icons-react";
import { needsSeat } from "#schema/licence-types.ts";
import type { LicenceActivationType } from "#web/generated/graphql.ts";
import { paths } from "#web/platform/paths.ts";
import { Button } from "#web/ui/button.tsx";
import { AppDialog, DialogActions, type DialogControl } from "#web/ui/confirm-dialog.tsx";
import { CopyButton, copyText } from "#web/ui/copy-button.tsx";
import type { RowAction } from "#web/ui/table/row-actions-menu.tsx";

/** Returns the first actions of every licence list: view and copy the licence code. */
export function licenceCodeActions(licenceCode: string, onView: () => void): RowAction[] {
  return [
    { label: "View licence code", icon: IconEye, onSelect: onView },
    { label: "Copy Licence Code", icon: IconCopy, onSelect: () => void copyText(licenceCode, LICENCE_CODE_COPIED) },
  ];
}

/** Returns the actions of every licence list that lead to the licence's pages. `userId` is `account` for the owner. */
export function licencePageActions(
  { id: licenceId, licenceActivationType }: { id: string; licenceActivationType: LicenceActivationType },
  userId: string,
): RowAction[] {
  return [
    {
      label: "Manage Activated Devices",
      icon: IconDeviceDesktop,
      to: paths.activatedDevices.href({ licenceId, userId }),
    },
    { label: "View licence history", icon: IconTimeline, to: paths.licenceHistory.href({ licenceId }) },
    ...(needsSeat(licenceActivationType)
      ? [{ label: "Seats", icon: IconUsers, to: paths.seats.href({ licenceId }) }]
      : []),
  ];
}

export const LICENCE_CODE_COPIED = "Licence code has been copied to clipboard.";

/** A licence code in readable groups. On narrow screens it wraps after half of the groups. */
export function LicenceCode({ code }: { code: string }) {
  const groups = code.split("-");
  const half = Math.ceil(groups.length / 2);
  const [first, second] = [groups.slice(0, half).join("-"), groups.slice(half).join("-")];
  return (
    <Paper
      component="code"
      display="block"
      px="md"
      py="sm"
      bg="var(--xp-sunken)"
      bd="1px dashed var(--xp-line-strong)"
      ff="monospace"
      c="bright"
      fw={600}
      ta="center"
      style={{ overflowWrap: "anywhere", userSelect: "all" }}
    >
      <Box component="span" display="inline-block">
        {second ? `${first}-` : first}
      </Box>
      {second && (
        <Box component="span" display="inline-block">
          {second}
        </Box>
      )}
    </Paper>
  );
}

/** Shows a licence's code. */
export function LicenceCodeDialog({
  licence,
  ...dialog
}: DialogControl & { licence: { product: string; subscriptionLevel: string; licenceCode?: string } }) {
  const { product, subscriptionLevel, licenceCode = "" } = licence;
  return (
    <AppDialog {...dialog} title="Licence code" size="lg">
      <Text c="dimmed" mb="md">
        {product} {subscriptionLevel}. Enter this code in the add-in.
      </Text>
      <LicenceCode code={licenceCode} />
      <DialogActions>
        <Button variant="default" onClick={dialog.onClose}>
          Close
        </Button>
        <CopyButton variant="filled" text={licenceCode} successMessage={LICENCE_CODE_COPIED} />
      </DialogActions>
    </AppDialog>
  );
}
