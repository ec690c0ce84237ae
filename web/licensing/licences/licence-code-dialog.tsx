import { Text } from "@mantine/core";
import { AppDialog, DialogActions } from "#web/ui/confirm-dialog.tsx";
import { CopyButton } from "#web/ui/copy-button.tsx";
import { useLastValue } from "#web/platform/use-last-value.ts";
import { LICENCE_CODE_COPIED, LicenceCode } from "./licence-code.tsx";
import { Button } from "#web/ui/button.tsx";

/** Shows a licence's code; `licence` is null while the dialog is closed. */
export function LicenceCodeDialog(props: {
  licence: { product: string; subscriptionLevel: string; licenceCode?: string } | null;
  onClose: () => void;
}) {
  const { onClose } = props;
  const licence = useLastValue(props.licence);
  return (
    <AppDialog opened={props.licence !== null} title="Licence code" size="lg" onClose={onClose}>
      {licence && (
        <>
          <Text c="dimmed" mb="md">
            {licence.product} {licence.subscriptionLevel}. Enter this code in the add-in.
          </Text>
          <LicenceCode code={licence.licenceCode ?? ""} />
          <DialogActions>
            <Button variant="default" onClick={onClose}>
              Close
            </Button>
            <CopyButton variant="filled" text={licence.licenceCode ?? ""} successMessage={LICENCE_CODE_COPIED} />
          </DialogActions>
        </>
      )}
    </AppDialog>
  );
}
