import { Card, Group, SimpleGrid, Stack, Text, List, Title, Paper } from "@mantine/core";
import { useState, useEffect, useRef } from "react";
import { type ActivateOfflineMutation, useActivateOfflineMutation } from "#web/generated/graphql.ts";
import { StepMark } from "#web/ui/step-mark.tsx";
import { paths } from "#web/platform/paths.ts";
import { PageLayout } from "#web/ui/page-layout.tsx";
import { IconDownload } from "@tabler/icons-react";
import { formatMachineName } from "#schema/machine-name.ts";
import { BusyButton } from "#web/ui/busy-button.tsx";
import { Button, LinkButton } from "#web/ui/button.tsx";
import { saveAsFile } from "#web/platform/save-as-file.ts";
import { Moment } from "#web/ui/moment.tsx";
import { getStepLink } from "#web/licensing/licences/licence-expiry.tsx";
import { useWatch } from "react-hook-form";
import { nextStepByResultCode } from "#schema/licence-history.ts";
import {
  decodeTextFile,
  parseRequestFile,
  REQUEST_FILE_DAMAGED,
  REQUEST_FILE_MAX_BYTES,
  REQUEST_FILE_TOO_LARGE,
} from "#schema/protocol.ts";
import { FactGrid, type FactsProps } from "#web/ui/fact-cards.tsx";
import { FileDrop } from "#web/ui/file-drop.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { TextAreaField } from "#web/ui/form/fields.tsx";
import { FormActions, SubmitButton } from "#web/ui/form/form-parts.tsx";
import { notify } from "#web/platform/notifications.ts";
import { getErrorCode } from "#web/platform/server-error.ts";
import { Link } from "react-router-dom";
import { getHelpPath } from "#schema/help-articles.ts";
import { useSession } from "#web/platform/session.ts";
import { Callout } from "#web/ui/callout.tsx";
import { MailLink } from "#web/ui/mail-link.tsx";

type OfflineActivationResult = ActivateOfflineMutation["activateOffline"];

/** Page for activating a device without an internet connection: uploads a request file and offers the licence file for it. */
export default function OfflineActivationPage() {
  const [ready, setReady] = useState<OfflineActivationResult | null>(null);
  return (
    <PageLayout
      title={paths.offlineActivation.title}
      lead="Activate a device without an internet connection: upload its request file and download a licence file."
      width="form"
      back={{ to: paths.licences.href(), label: "Licences" }}
    >
      <Stack gap="lg">
        <Steps current={ready ? 2 : 1} />
        <Card padding="var(--xp-panel-padding)" shadow="sm">
          {ready ? (
            <LicenceFileReady result={ready} onAnother={() => setReady(null)} />
          ) : (
            <RequestFileForm onActivated={setReady} />
          )}
        </Card>
      </Stack>
    </PageLayout>
  );
}

const steps = [
  {
    title: "Save a request file",
    text: "In the add-in on the offline device, choose offline activation and save the request file.",
  },
  {
    title: "Upload it here",
    text: "Bring the file to this device, for example on a USB stick. You get a licence file to download.",
  },
  {
    title: "Open the licence file",
    text: "Open it in the add-in on the offline device. The add-in works without a connection until the file expires.",
  },
];

/** Shows the three steps. The first one happens in the add-in, before the user opens this page. */
function Steps({ current }: { current: number }) {
  return (
    <SimpleGrid role="list" minColWidth="13rem" spacing="lg">
      {steps.map(({ title, text }, index) => (
        <Group
          key={title}
          role="listitem"
          aria-current={index === current ? "step" : undefined}
          gap="sm"
          wrap="nowrap"
          align="flex-start"
        >
          <StepMark number={index + 1} state={index < current ? "done" : index === current ? "current" : "open"} />
          <div>
            <Text fw={600}>{title}</Text>
            <Text size="sm" c="dimmed">
              {text}
            </Text>
          </div>
        </Group>
      ))}
    </SimpleGrid>
  );
}

/** Offers the licence file for download, with its expiry and the next steps. */
function LicenceFileReady({ result, onAnother }: { result: OfflineActivationResult; onAnother: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { device, goodUntil, licenceFile, licenceId } = result;
  const machine = formatMachineName(device?.machineName ?? "the device");
  const fileName = `licence-${machine.replace(/[^\p{L}\p{N}._-]+/gu, "-")}.lic`;
  const until = goodUntil && <Moment at={goodUntil} />;
  return (
    <Stack align="flex-start" data-break="anywhere">
      <Title order={2} ref={heading} tabIndex={-1}>
        The licence file for {machine} is ready
      </Title>
      <Text c="dimmed">
        It is valid until{" "}
        <Text span fw={600} c="bright">
          {until}
        </Text>
        . Until then, the device counts towards the device limit and can't be deactivated.
      </Text>
      <Button
        size="lg"
        leftSection={<IconDownload size={18} stroke={1.8} aria-hidden="true" />}
        onClick={() => saveAsFile(fileName, licenceFile ?? "", "application/octet-stream")}
      >
        Download {fileName}
      </Button>
      <List type="ordered" spacing={6} c="dimmed">
        <List.Item>Copy the file to {machine}.</List.Item>
        <List.Item>
          Open it in the add-in, where you saved the request file. No internet connection is needed.
        </List.Item>
        <List.Item>To use the add-in after that date, upload a new request file from the same device here.</List.Item>
      </List>
      <Group gap="sm">
        <LinkButton variant="default" to={paths.activatedDevices.href({ licenceId, userId: "account" })}>
          Manage Activated Devices
        </LinkButton>
        <BusyButton variant="subtle" onPress={onAnother}>
          Activate another device
        </BusyButton>
      </Group>
    </Stack>
  );
}

const loadRules = () => import("#schema/protocol.ts").then((file) => file.offlineActivationRules);

const FOREIGN_LICENCE =
  "The licence code in this file doesn't belong to your account. Please check the code in the add-in, or sign in with the account that owns the licence.";

/** Form for a request file. Shows the details of the file before the device is activated. */
function RequestFileForm({ onActivated }: { onActivated: (answer: OfflineActivationResult) => void }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const [refusal, setRefusal] = useState<OfflineActivationResult | null>(null);
  const [activate] = useActivateOfflineMutation();
  const form = useAppForm(loadRules, { defaultValues: { requestFile: "" } });
  const { control } = form;
  const { errors } = form.formState;
  const facts = extractFacts(useWatch({ control, name: "requestFile" }));

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
      {refusal && <OfflineRefusal refusal={refusal} />}
      <FormActions>
        <SubmitButton>Activate</SubmitButton>
      </FormActions>
    </AppForm>
  );
}

/** Returns the details of a request file. Null while the text isn't a valid one. */
function extractFacts(text: string): FactsProps["facts"] | null {
  if (!text.trim() || text.length > REQUEST_FILE_MAX_BYTES) return null;
  const read = parseRequestFile(text);
  if ("fault" in read) return null;
  const { machine, licenceCode, addInVersion } = read.values;
  const { machineName, osUser } = (typeof machine === "object" && machine !== null ? machine : {}) as {
    machineName?: unknown;
    osUser?: unknown;
  };
  return [
    ["Device", typeof machineName === "string" ? formatMachineName(machineName) : "Missing"],
    ["Add-in version", formatValue(addInVersion)],
    typeof osUser === "string" && osUser !== "" && ["Windows user", osUser],
    ["Licence code", formatValue(licenceCode)],
  ];
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
  const role = useSession()?.claims.role;
  const place = nextStepByResultCode[code]?.place;
  // Only regular customers can subscribe online (docs/domain.md#member-types).
  const isInPortal = place === "devices" || (place === "subscribe" && role === "regular");
  const link = isInPortal ? getStepLink(place, { id: licenceId }, role) : null;
  if (link)
    return (
      <div>
        <LinkButton variant="default" to={link.to}>
          {link.label}
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
