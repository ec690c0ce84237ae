import { Box, Button, Group, Paper, Progress, Text } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { type UseFormReturn, useController } from "react-hook-form";
import { softwareStages } from "#schema/software.ts";
import {
  formatUploadMessage,
  type UploadFormValues,
  findFileError,
  type SoftwareFileField,
  softwareFiles,
} from "#schema/software-upload.ts";
import { Callout } from "#web/ui/callout.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { SelectField, TextField } from "#web/ui/form/fields.tsx";
import { BlockedWhileSaving, FieldColumns, FormActions, SubmitButton } from "#web/ui/form/form-parts.tsx";
import { useLeaveGuard } from "#web/ui/form/leave-guard.tsx";
import { notify } from "#web/platform/notifications.ts";
import { getFieldErrors, formatError, ServerError } from "#web/platform/server-error.ts";
import { isSent, type UploadedBuild, type UploadProgress, useUpload } from "./use-upload.ts";
import { formatFileSize } from "#schema/numbers.ts";
import { FileDrop } from "#web/ui/file-drop.tsx";

const loadRules = () => import("#schema/software-upload.ts").then((file) => file.uploadFormRules);

/** Values of the empty form. Those that the rules convert have another type, so `never` stands for it. */
const empty = { softwareStage: "", version: "", installationFile: null, applicationFilesZipFile: null, vstoFile: null };

const leaveQuestion = {
  title: "Stop the upload?",
  message: "The files are still uploading. If you leave this page, the upload stops and nothing is saved.",
  verb: "Stop",
};

/** After all bytes have been sent, the server completes the upload in any case. */
const leaveCheckQuestion = {
  title: "Leave during the check?",
  message: "The files have been sent. The check continues if you leave. If it passes, the list shows the build.",
  verb: "Leave",
};

const UNABLE = "Unable to upload the software.";

interface UploadFormProps {
  onSettled: () => void;
  /** Returns whether an uploaded build is neither published nor deleted yet. */
  isWaiting: (id: string) => boolean;
  onPublish: (build: UploadedBuild) => void;
}

/** Form to upload a build: the installer, and optionally the zip and `.vsto` for ClickOnce. */
export function UploadForm({ isWaiting, onSettled, onPublish }: UploadFormProps) {
  const form = useAppForm(loadRules, { defaultValues: empty as never }) as unknown as UseFormReturn<UploadFormValues>;
  const { control, formState } = form;
  const upload = useUpload();
  const isChecking = upload.progress !== null && isSent(upload.progress);
  const guard = useLeaveGuard(upload.progress !== null, isChecking ? leaveCheckQuestion : leaveQuestion);
  const [done, setDone] = useState<UploadedBuild | null>(null);
  const [wasCancelled, setWasCancelled] = useState(false);

  async function send(values: UploadFormValues) {
    setDone(null);
    setWasCancelled(false);
    try {
      const build = await upload.start(values);
      setWasCancelled(build === null);
      if (!build) return;
      notify.success(
        `The software has been uploaded successfully. ${formatUploadMessage(build.version, build.stageLabel)}`,
      );
      form.reset(empty as never);
      setDone(build);
    } catch (error) {
      throw toUploadError(error);
    } finally {
      onSettled();
    }
  }

  return (
    <AppForm form={form} onSubmit={send} fallback={UNABLE} label="Upload Software">
      {done && isWaiting(done.id) && <Done build={done} onPublish={() => onPublish(done)} />}
      <BlockedWhileSaving>
        <FieldColumns>
          <SelectField
            control={control}
            name="softwareStage"
            label="Software stage"
            options={softwareStages}
            placeholder="Choose a stage"
          />
          <TextField
            control={control}
            name="version"
            label="Version"
            placeholder="Read from the files"
            hint="If not in the files"
            autoComplete="off"
            optional
          />
        </FieldColumns>
        <Box
          display="grid"
          style={{
            gap: "var(--mantine-spacing-md)",
            gridTemplateColumns: "repeat(auto-fit, minmax(min(100%, 15rem), 1fr))",
          }}
        >
          <UploadZone form={form} name="installationFile" />
          <UploadZone form={form} name="applicationFilesZipFile" optional />
          <UploadZone form={form} name="vstoFile" optional />
        </Box>
      </BlockedWhileSaving>
      {upload.progress && <UploadProgressBar progress={upload.progress} />}
      <Text role="status" c="dimmed" hidden={!wasCancelled}>
        {wasCancelled && "The upload was cancelled."}
      </Text>
      {formState.isDirty && (
        <FormActions>
          {upload.progress && !isChecking && (
            <Button variant="default" onClick={upload.cancel}>
              Cancel upload
            </Button>
          )}
          <SubmitButton>Upload</SubmitButton>
        </FormActions>
      )}
      {guard.dialog}
    </AppForm>
  );
}

/** Confirms the upload and offers to publish it. Takes the focus, because the submit button has disappeared. */
function Done({ build, onPublish }: { build: UploadedBuild; onPublish: () => void }) {
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => container.current?.focus(), []);
  return (
    <Box ref={container} tabIndex={-1}>
      <Callout tone="calm">
        <p>{formatUploadMessage(build.version, build.stageLabel)}</p>
        <Group gap="xs">
          <Button size="sm" onClick={onPublish}>
            {build.version ? `Publish ${build.version}` : "Enter the version"}
          </Button>
        </Group>
      </Callout>
    </Box>
  );
}

/** Returns an error that starts with the fixed sentence, followed by the server's message if it isn't about a field. */
function toUploadError(error: unknown): Error {
  const fields = getFieldErrors(error);
  const hasFields = Object.keys(fields).length > 0;
  const message = hasFields ? "" : formatError(error, "");
  return new ServerError([
    { message: message ? `${UNABLE} ${message}` : UNABLE, ...(hasFields ? { extensions: { fields } } : {}) },
  ]);
}

/** Progress of an upload: bytes, percentage and time left, then the check on the server. */
function UploadProgressBar({ progress }: { progress: UploadProgress }) {
  const { sent, total, secondsLeft } = progress;
  const isChecking = isSent(progress);
  const percent = total > 0 ? Math.floor((100 * sent) / total) : 0;
  const label = isChecking ? "Checking the files" : "Uploading";
  return (
    <Paper withBorder radius="lg" p="md" bg="var(--xp-sunken)">
      <Group justify="space-between" wrap="nowrap" mb="xs">
        <Text role="status" fw={600}>
          {label}…
        </Text>
        {!isChecking && <span>{percent}%</span>}
      </Group>
      <Progress.Root size="md">
        <Progress.Section
          value={isChecking ? 100 : percent}
          animated={isChecking}
          withAria={false}
          role="progressbar"
          aria-label={label}
          aria-valuenow={isChecking ? undefined : percent}
        />
      </Progress.Root>
      <Text size="sm" c="dimmed" mt="xs">
        {isChecking
          ? `All ${formatFileSize(total)} have been sent. This takes a few seconds.`
          : [`${formatFileSize(sent)} of ${formatFileSize(total)}`, secondsLeft !== null && formatTimeLeft(secondsLeft)]
              .filter(Boolean)
              .join(" · ")}
      </Text>
    </Paper>
  );
}

/** Formats the estimated seconds left, rounded. */
function formatTimeLeft(seconds: number): string {
  if (seconds < 5) return "a few seconds left";
  if (seconds < 55) return `about ${Math.ceil(seconds / 5) * 5} seconds left`;
  const minutes = Math.round(seconds / 60);
  return minutes <= 1 ? "about a minute left" : `about ${minutes} minutes left`;
}

const labels: Record<SoftwareFileField, string> = {
  installationFile: "Installation file",
  applicationFilesZipFile: "Application files zip file",
  vstoFile: "Vsto file",
};

/** Drop zone for one file of an upload. Rejects invalid files immediately. */
function UploadZone(props: { form: UseFormReturn<UploadFormValues>; name: SoftwareFileField; optional?: boolean }) {
  const { form, name, optional = false } = props;
  const { extension, maxBytes } = softwareFiles[name];
  const { field, fieldState } = useController({ control: form.control, name });

  function selectFile(file: File) {
    const problem = findFileError(name, file);
    if (problem !== null) return form.setError(name, { type: "server", message: problem });
    form.clearErrors(name);
    field.onChange(file);
  }

  return (
    <FileDrop
      label={labels[name]}
      hint={`Drop the ${extension} file here, at most ${formatFileSize(maxBytes)}.`}
      accept={extension}
      chosen={field.value ?? null}
      optional={optional}
      error={fieldState.error?.message}
      onFile={selectFile}
      onRemove={() => {
        form.clearErrors(name);
        field.onChange(null);
      }}
    />
  );
}
