import { useState } from "react";
import { useWatch } from "react-hook-form";
import { shownMachineName } from "#schema/machine-name.ts";
import {
  readRequestFile,
  REQUEST_FILE_DAMAGED,
  REQUEST_FILE_MAX_BYTES,
  REQUEST_FILE_TOO_LARGE,
  textOfFile,
} from "#schema/request-file.ts";
import { useActivateOfflineMutation } from "#web/generated/graphql.ts";
import { FileDrop } from "#web/ui/file-drop.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { TextAreaField } from "#web/ui/form/fields.tsx";
import { FormActions, SubmitButton } from "#web/ui/form/form-parts.tsx";
import { notify } from "#web/platform/notifications.ts";
import { codeOf } from "#web/platform/server-error.ts";
import type { OfflineAnswer } from "./offline-activation.tsx";
import classes from "./offline-activation.module.css";
import { OfflineRefusal } from "./offline-refusal.tsx";

const loadRules = () => import("#schema/rules/protocol.ts").then((file) => file.offlineActivationRules);

const NOT_YOURS =
  "The licence code in this file is not one of yours. Please check it in the add-in, or sign in with the account that has the licence.";

/** Takes the request file, shows what it says, and asks for the licence file. */
export function RequestFileForm({ onActivated }: { onActivated: (answer: OfflineAnswer) => void }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const [refusal, setRefusal] = useState<OfflineAnswer | null>(null);
  const [activate] = useActivateOfflineMutation();
  const form = useAppForm(loadRules, { defaultValues: { requestFile: "" } });
  const { control } = form;
  const { errors } = form.formState;
  const text = useWatch({ control, name: "requestFile" });

  async function take(file: File) {
    setRefusal(null);
    const content =
      file.size > REQUEST_FILE_MAX_BYTES
        ? null
        : textOfFile(new Uint8Array(await file.arrayBuffer().catch(() => new ArrayBuffer(0))));
    const read = content === null ? null : readRequestFile(content);
    const fault =
      file.size > REQUEST_FILE_MAX_BYTES ? REQUEST_FILE_TOO_LARGE : read && "fault" in read ? read.fault : null;
    const isGood = fault === null && content !== null;
    setChosen(isGood ? file.name : null);
    form.setValue("requestFile", isGood ? content.trim() : "");
    if (isGood) form.clearErrors("requestFile");
    else form.setError("requestFile", { type: "server", message: fault ?? REQUEST_FILE_DAMAGED });
  }

  async function send({ requestFile }: { requestFile: string }) {
    setRefusal(null);
    try {
      const { data } = await activate({ variables: { input: { requestFile } } });
      const answer = data?.activateOffline;
      if (answer?.licenceFile) onActivated(answer);
      else if (answer) setRefusal(answer);
    } catch (error) {
      if (codeOf(error) !== "NOT_FOUND") throw error;
      form.setError("requestFile", { type: "server", message: NOT_YOURS });
      notify.error(NOT_YOURS);
    }
  }

  return (
    <AppForm form={form} onSubmit={send} fallback="Unable to activate the machine." label="Offline Activation">
      <FileDrop
        label="Request File"
        hint="Drop the file here that the add-in saved, or choose it."
        chosen={chosen ? { name: chosen } : null}
        onFile={(file) => void take(file)}
      />
      {(!chosen || errors.requestFile) && (
        <TextAreaField control={control} name="requestFile" label="Or Paste Its Text" rows={4} />
      )}
      <WhatItSays text={text} />
      {refusal && <OfflineRefusal answer={refusal} />}
      <FormActions>
        <SubmitButton>Activate</SubmitButton>
      </FormActions>
    </AppForm>
  );
}

/** What is about to be activated, in words; nothing while the text is no request. */
function WhatItSays({ text }: { text: string }) {
  const facts = factsIn(text);
  return (
    <div role="status">
      {facts && (
        <div className={classes.says}>
          <h2>What the file says</h2>
          <dl>
            {facts.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </div>
      )}
    </div>
  );
}

function factsIn(text: string): [name: string, value: string][] | null {
  if (!text.trim() || text.length > REQUEST_FILE_MAX_BYTES) return null;
  const read = readRequestFile(text);
  if ("fault" in read) return null;
  const { machine, licenceCode, addInVersion } = read.values;
  const { machineName, osUser } = (typeof machine === "object" && machine !== null ? machine : {}) as {
    machineName?: unknown;
    osUser?: unknown;
  };
  const facts: [string, string][] = [
    ["Machine", typeof machineName === "string" ? shownMachineName(machineName) : "Missing"],
    ["Add-in Version", said(addInVersion)],
  ];
  if (typeof osUser === "string" && osUser) facts.push(["Windows User", osUser]);
  facts.push(["Licence Code", said(licenceCode)]);
  return facts;
}

function said(value: unknown): string {
  return typeof value === "string" && value ? value : "Missing";
}
