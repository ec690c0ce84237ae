import { IconDownload } from "@tabler/icons-react";
import { type CallOptions, fetchFromApi } from "#web/platform/fetch-from-api.ts";
import { notify } from "#web/platform/notifications.ts";
import { saveResponse } from "#web/platform/save-as-file.ts";
import { BusyButton } from "#web/ui/busy-button.tsx";

/** A PDF of the REST API: where it is, and what to say if it can't be downloaded. */
interface Pdf extends CallOptions {
  readonly path: string;
  readonly failure: string;
}

/** Saves a PDF as a file, or shows why it couldn't be downloaded. */
export async function downloadPdf({ path, failure, ...options }: Pdf): Promise<void> {
  notify.clearErrors();
  try {
    const response = await fetchFromApi(path, "application/pdf", options);
    saveResponse(response, await response.blob());
  } catch (error) {
    notify.failure(error, failure);
  }
}

/** Button of a row that downloads an invoice as a PDF. */
export function DownloadInvoice({ number, path, failure }: Pick<Pdf, "path" | "failure"> & { number: string }) {
  return (
    <BusyButton
      variant="default"
      size="xs"
      leftSection={<IconDownload size={16} stroke={1.8} aria-hidden="true" />}
      label={`Download ${number}`}
      onPress={() => downloadPdf({ path, failure })}
    >
      Download
    </BusyButton>
  );
}
