import { IconDownload } from "@tabler/icons-react";
import type { MyInvoicesQuery } from "#web/generated/graphql.ts";
import { fetchFromApi } from "#web/platform/fetch-from-api.ts";
import { notify } from "#web/platform/notifications.ts";
import { saveAsFile } from "#web/platform/save-as-file.ts";
import { BusyButton } from "#web/ui/busy-button.tsx";

export type MyInvoice = MyInvoicesQuery["myInvoices"][number];

/** Button that downloads one of the customer's invoices as a PDF. */
export function DownloadMyInvoice({ invoice: { id, number } }: { invoice: Pick<MyInvoice, "id" | "number"> }) {
  async function download() {
    notify.clearErrors();
    try {
      const response = await fetchFromApi(`/v1/core/accounts/invoices/${id}/download`, "application/pdf");
      saveAsFile(`Invoice-${number}.pdf`, await response.blob(), "application/pdf");
    } catch (error) {
      notify.failure(error, "Unable to download the invoice.");
    }
  }
  return (
    <BusyButton
      variant="default"
      size="xs"
      leftSection={<IconDownload size={16} stroke={1.8} aria-hidden="true" />}
      label={`Download ${number}`}
      onPress={download}
    >
      Download
    </BusyButton>
  );
}
