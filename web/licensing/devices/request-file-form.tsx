import { Paper, Title, Text } from "@mantine/core";
import { useState, useEffect, useRef } from "react";
import { useWatch } from "react-hook-form";
import { nextStepByResultCode } from "#schema/licence-history.ts";
import { formatMachineName } from "#schema/machine-name.ts";
import {
  decodeTextFile,
  parseRequestFile,
  REQUEST_FILE_DAMAGED,
  REQUEST_FILE_MAX_BYTES,
  REQUEST_FILE_TOO_LARGE,
} from "#schema/protocol.ts";
import { useActivateOfflineMutation } from "#web/generated/graphql.ts";
import { FactGrid } from "#web/ui/fact-cards.tsx";
import { FileDrop } from "#web/ui/file-drop.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { TextAreaField } from "#web/ui/form/fields.tsx";
import { FormActions, SubmitButton } from "#web/ui/form/form-parts.tsx";
import { notify } from "#web/platform/notifications.ts";
import { getErrorCode } from "#web/platform/server-error.ts";
import type { OfflineActivationResult } from "./offline-activation.tsx";
import { Link } from "react-router-dom";
import { getHelpPath } from "#schema/help-articles.ts";
import { paths } from "#web/platform/paths.ts";
import { useSession } from "#web/platform/session.ts";
import { LinkButton } from "#web/ui/button.tsx";
import { Callout } from "#web/ui/callout.tsx";
import { MailLink } from "#web/ui/mail-link.tsx";

const loadRules = () => import("#schema/protocol.ts").then((file) => file.offlineActivationRules);

const FOREIGN_LICENCE =
  "The licence code in this file doesn't belong to your account. Please check the code in the add-in, or sign in with the account that owns the licence.";

/** Form for a request file. Shows the details of the file before the device is activated. */
export function RequestFileForm({ onActivated }: { onActivated: (answer: OfflineActivationResult) => void }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const [refusal, setRefusal] = useState<OfflineActivationResult | null>(null);
  const [activate] = useActivateOfflineMutation();
  const form = useAppForm(loadRules, { defaultValues: { requestFile: "" } });
  const { control } = form;
  const { errors } = form.formState;
  const text = useWatch({ control, name: "requestFile" });

  async function readFile(file: File) {
    setRefusal(null);
    const content =
      file.size > REQUEST_FILE_MAX_BYTES
        ? null
        : decodeTextFile(new Uint8Array(await file.arrayBuffer().catch(() => new ArrayBuffer(0))));
    const read = content === null ? null : parseRequestFile(content);
    const problem =
      file.size > REQUEST_FILE_MAX_BYTES ? REQUEST_FILE_TOO_LARGE : read && "fault" in read ? read.fault : null;
    const isValid = problem === null && content !== null;
    setChosen(isValid ? file.name : null);
    form.setValue("requestFile", isValid ? content.trim() : "");
    if (isValid) form.clearErrors("requestFile");
    else form.setError("requestFile", { type: "server", message: problem ?? REQUEST_FILE_DAMAGED });
  }

  async function submit({ requestFile }: { requestFile: string }) {
    setRefusal(null);
    try {
      const { data } = await activate({ variables: { input: { requestFile } } });
      const result = data?.activateOffline;
      if (result?.licenceFile) onActivated(result);
      else if (result) setRefusal(result);
    } catch (error) {
      if (getErrorCode(error) !== "NOT_FOUND") throw error;
      form.setError("requestFile", { type: "server", message: FOREIGN_LICENCE });
      notify.error(FOREIGN_LICENCE);
    }
  }

  return (
    <AppForm form={form} onSubmit={submit} fallback="Unable to activate the device." label="Offline activation">
      <FileDrop
        label="Request file"
        hint="Drop the request file from the add-in here, or choose it."
        chosen={chosen ? { name: chosen } : null}
        onFile={(file) => void readFile(file)}
      />
      {(!chosen || errors.requestFile) && (
        <TextAreaField control={control} name="requestFile" label="Or paste its text" rows={4} />
      )}
      <RequestDetails text={text} />
      {refusal && <OfflineRefusal refusal={refusal} />}
      <FormActions>
        <SubmitButton>Activate</SubmitButton>
      </FormActions>
    </AppForm>
  );
}

/** Shows the details of a request file. Renders nothing while the text isn't a valid request file. */
function RequestDetails({ text }: { text: string }) {
  const facts = extractFacts(text);
  return (
    <div role="status">
      {facts && (
        <Paper withBorder p="md">
          <Title order={2} size="h4" mb="sm">
            Request details
          </Title>
          <FactGrid facts={facts} minWidth="14rem" />
        </Paper>
      )}
    </div>
  );
}

function extractFacts(text: string): [name: string, value: string][] | null {
  if (!text.trim() || text.length > REQUEST_FILE_MAX_BYTES) return null;
  const read = parseRequestFile(text);
  if ("fault" in read) return null;
  const { machine, licenceCode, addInVersion } = read.values;
  const { machineName, osUser } = (typeof machine === "object" && machine !== null ? machine : {}) as {
    machineName?: unknown;
    osUser?: unknown;
  };
  const facts: [string, string][] = [
    ["Device", typeof machineName === "string" ? formatMachineName(machineName) : "Missing"],
    ["Add-in version", formatValue(addInVersion)],
  ];
  if (typeof osUser === "string" && osUser) facts.push(["Windows user", osUser]);
  facts.push(["Licence code", formatValue(licenceCode)]);
  return facts;
}

function formatValue(value: unknown): string {
  return typeof value === "string" && value ? value : "Missing";
}

/** Explains why the activation was refused, and what to do next. */
function OfflineRefusal({ refusal }: { refusal: OfflineActivationResult }) {
  const message = useRef<HTMLParagraphElement>(null);
  useEffect(() => message.current?.focus(), [refusal]);
  return (
    <Callout tone="critical">
      <Text ref={message} fw={560} tabIndex={-1}>
        {refusal.message}
      </Text>
      <NextStep {...refusal} />
      <Link to={getHelpPath(refusal.code)}>Read more</Link>
    </Callout>
  );
}

function NextStep({ code, licenceId }: OfflineActivationResult) {
  const isRegular = useSession()?.claims.role === "regular";
  const place = nextStepByResultCode[code]?.place;
  if (place === "devices")
    return (
      <div>
        <LinkButton variant="default" to={paths.activatedDevices.href({ licenceId, userId: "account" })}>
          Manage Activated Devices
        </LinkButton>
      </div>
    );
  // Only regular customers can subscribe online (docs/domain.md#member-types).
  if (isRegular && place === "subscribe")
    return (
      <div>
        <LinkButton variant="default" to={paths.manageSubscription.href()}>
          Billing
        </LinkButton>
      </div>
    );
  // The message for a licence with seats already contains the next step, which is in the add-in.
  if (code === "FAILED") return null;
  return (
    <p>
      Contact support at <MailLink to="support" />.
    </p>
  );
}
