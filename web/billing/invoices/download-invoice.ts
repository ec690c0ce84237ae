import type { InvoiceRowFragment } from "#web/generated/graphql.ts";
import { fetchFromApi } from "#web/platform/fetch-from-api.ts";
import { notify } from "#web/platform/notifications.ts";
import { saveAsFile } from "#web/platform/save-as-file.ts";

/** Downloads the PDF of a customer's invoice or adjustment note. */
export async function downloadInvoice({ number, taxInvoiceId }: InvoiceRowFragment): Promise<void> {
  notify.clearErrors();
  try {
    const response = await fetchFromApi(`/v1/admin/taxInvoice/${taxInvoiceId}/download`, "application/pdf");
    saveAsFile(`Invoice-${number}.pdf`, await response.blob(), "application/pdf");
  } catch (error) {
    notify.failure(error, "Unable to download the invoice.");
  }
}
