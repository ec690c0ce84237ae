import { Stack, Button, List } from "@mantine/core";
import { BusyButton } from "#web/ui/busy-button.tsx";
import { notify } from "#web/platform/notifications.ts";
import { saveAsFile } from "#web/platform/save-as-file.ts";
import { fetchFromApi } from "#web/platform/fetch-from-api.ts";
import { ServerError } from "#web/platform/server-error.ts";
import { paths } from "#web/platform/paths.ts";
import { PageLayout, Section } from "#web/ui/page-layout.tsx";
import { useOpenDialog } from "#web/ui/dialogs.tsx";

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
          The file contains everything we store about you: your profile, licences and devices, licence checks,
          subscriptions, payments, invoices and quotes, sign-ins, messages, the subjects of our emails to you, and more.
          It's in JSON format, which any text editor can open.
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

/** Explains the effects of deleting an account and opens the confirmation dialog. */
function DeleteAccount() {
  const openDialog = useOpenDialog();
  return (
    <Stack align="flex-start">
      <Stack gap="xs" maw="42rem" c="dimmed">
        <p>Deleting your account can't be undone. As soon as you confirm:</p>
        <List>
          <List.Item>you are signed out everywhere, and access tokens and webhooks stop working;</List.Item>
          <List.Item>your licences end and the add-in stops converting files;</List.Item>
          <List.Item>any active subscription ends without a refund;</List.Item>
          <List.Item>your name, email address, phone number and address are erased from your account.</List.Item>
        </List>
        <p>
          We then erase your emails, messages, contacts, devices and the personal details in your licence history. This
          usually takes a few seconds, or a few minutes if your history is long. When it's done, we email you a
          certificate that lists what was erased.
        </p>
        <p>
          We keep your tax invoices for 5 years, as required by law. We also keep a hash of your email address and
          devices to prevent repeat free trials.
        </p>
      </Stack>
      <Button color="red" variant="light" onClick={() => openDialog(() => import("./delete-account-dialog.tsx"), {})}>
        Delete my account
      </Button>
    </Stack>
  );
}
