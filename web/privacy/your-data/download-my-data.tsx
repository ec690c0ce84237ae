import { Stack } from "@mantine/core";
import { BusyButton } from "#web/ui/busy-button.tsx";
import { notify } from "#web/platform/notifications.ts";
import { saveAsFile } from "#web/platform/save-as-file.ts";
import { fetchFromApi } from "#web/platform/fetch-from-api.ts";
import { ServerError } from "#web/platform/server-error.ts";
import { DeleteAccount } from "./delete-account.tsx";
import { paths } from "#web/platform/paths.ts";
import { PageLayout, Section } from "#web/ui/page-layout.tsx";

const MY_DATA_URL = "/v1/core/accounts/my-data";

/**
 * Fetches all data stored about the signed-in customer, as indented JSON.
 * @throws ServerError with the API's message; NetworkFailure if there was no response.
 */
async function fetchMyData(): Promise<string> {
  const response = await fetchFromApi(MY_DATA_URL, "application/json");
  const json: unknown = await response.json().catch(() => null);
  if (json === null) throw new ServerError([{ message: "" }]);
  return JSON.stringify(json, null, 2);
}

/** Lets the customer download all their data as one file. */
export function DownloadMyData() {
  async function download() {
    notify.clearErrors();
    try {
      saveAsFile("my-data.json", await fetchMyData(), "application/json");
      notify.success("Your data has been downloaded as my-data.json.");
    } catch (error) {
      notify.failure(error, "Unable to download your data.");
    }
  }

  return (
    <Stack align="flex-start">
      <Stack gap="xs" maw="42rem" c="dimmed">
        <p>
          The file contains your profile, licences, devices, sessions, device deactivations, tax invoices, licence
          checks, the subjects of our emails to you, and your messages from the contact form. It's in JSON format, which
          any text editor can open.
        </p>
        <p>The file contains your licence codes. Store it somewhere private.</p>
      </Stack>
      <BusyButton onPress={download}>Download my data</BusyButton>
    </Stack>
  );
}

/** Lets customers download their data or delete their account. */
export default function YourDataPage() {
  return (
    <PageLayout
      title={paths.yourData.title}
      lead="Download the data we keep about you, or delete your account."
      width="form"
    >
      <Section title="Download your data">
        <DownloadMyData />
      </Section>
      <Section title="Delete your account">
        <DeleteAccount />
      </Section>
    </PageLayout>
  );
}
