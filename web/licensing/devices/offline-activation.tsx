import { useState } from "react";
import type { ActivateOfflineMutation } from "#web/generated/graphql.ts";
import { LicenceFileReady } from "./licence-file-ready.tsx";
import classes from "./offline-activation.module.css";
import { RequestFileForm } from "./request-file-form.tsx";

/** How an offline activation ended. */
export type OfflineAnswer = ActivateOfflineMutation["activateOffline"];

/** A request file in, a licence file out. */
export function OfflineActivation() {
  const [ready, setReady] = useState<OfflineAnswer | null>(null);
  return (
    <div className={classes.activation}>
      {!ready && <Steps />}
      <div className={classes.card}>
        {ready ? (
          <LicenceFileReady answer={ready} onAnother={() => setReady(null)} />
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
        <b>Save a request</b>
        <p>In the add-in on that machine, activate offline and save the request file.</p>
      </li>
      <li>
        <b>Bring it here</b>
        <p>On a USB stick, for example. We answer with a licence file.</p>
      </li>
      <li>
        <b>Carry it back</b>
        <p>Open the licence file in the add-in. It runs without a connection until the file ends.</p>
      </li>
    </ol>
  );
}
