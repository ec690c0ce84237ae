import { useState } from "react";
import type { ActivateOfflineMutation } from "#web/generated/graphql.ts";
import { LicenceFileReady } from "./licence-file-ready.tsx";
import classes from "./offline-activation.module.css";
import { RequestFileForm } from "./request-file-form.tsx";

export type OfflineActivationResult = ActivateOfflineMutation["activateOffline"];

/** Lets the user upload a request file and download the licence file for it. */
export function OfflineActivation() {
  const [ready, setReady] = useState<OfflineActivationResult | null>(null);
  return (
    <div className={classes.activation}>
      {!ready && <Steps />}
      <div className={classes.card}>
        {ready ? (
          <LicenceFileReady result={ready} onAnother={() => setReady(null)} />
        ) : (
          <RequestFileForm onActivated={setReady} />
        )}
      </div>
    </div>
  );
}

function Steps() {
  return (
    <ol className={classes.steps}>
      <li>
        <b>Save a request file</b>
        <p>In the add-in on the offline device, choose offline activation and save the request file.</p>
      </li>
      <li>
        <b>Upload it here</b>
        <p>Bring the file to this device, for example on a USB stick. You get a licence file to download.</p>
      </li>
      <li>
        <b>Open the licence file</b>
        <p>
          Open it in the add-in on the offline device. The add-in works without a connection until the file expires.
        </p>
      </li>
    </ol>
  );
}
