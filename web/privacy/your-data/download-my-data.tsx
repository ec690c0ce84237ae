import { BusyButton } from "#web/ui/busy-button.tsx";
import { notify } from "#web/platform/notifications.ts";
import { saveAsFile } from "#web/ui/save-as-file.ts";
import classes from "./your-data.module.css";
import { fetchFromApi } from "#web/platform/fetch-from-api.ts";
import { ServerError } from "#web/platform/server-error.ts";

const MY_DATA_URL = "/v1/core/accounts/my-data";

/**
 * Everything kept about the signed-in customer, as indented JSON.
 * @throws ServerError with the api's sentence, NetworkFailure when no answer came.
 */
async function fetchMyData(): Promise<string> {
  const answer = await fetchFromApi(MY_DATA_URL, "application/json");
  const json: unknown = await answer.json().catch(() => null);
  if (json === null) throw new ServerError([{ message: "" }]);
  return JSON.stringify(json, null, 2);
}

/** Everything kept about the customer, as one file. */
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
    <div className={classes.part}>
      <div className={classes.text}>
        <p>
          One file holds your profile, your licences and their devices, your sessions, deactivations, tax invoices, what
          the add-in asked, the subjects of our mails to you, and what you sent us through the contact form. It is JSON,
          which every text editor opens.
        </p>
        <p>The file holds your licence codes. Keep it where nobody else can read it.</p>
      </div>
      <BusyButton onPress={download}>Download My Data</BusyButton>
    </div>
  );
}
