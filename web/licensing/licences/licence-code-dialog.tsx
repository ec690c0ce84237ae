import { Text } from "@mantine/core";
import { Button } from "#web/ui/button.tsx";
import { AppDialog, DialogActions, type DialogControl } from "#web/ui/confirm-dialog.tsx";
import { CopyButton } from "#web/ui/copy-button.tsx";
import { LICENCE_CODE_COPIED, LicenceCode } from "./licence-code.tsx";

interface LicenceCodeDialogProps extends DialogControl {
  licence: { product: string; subscriptionLevel: string; licenceCode?: string };
}

/** Shows a licence's code. */
export default function LicenceCodeDialog({ licence, ...dialog }: LicenceCodeDialogProps) {
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
