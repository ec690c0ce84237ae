import { useEffect, useRef, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import { softwareStages } from "#schema/catalogue.ts";
import type { UploadFormValues } from "#schema/rules/software-upload.ts";
import { wordsOfUpload } from "#schema/software-upload.ts";
import { Button } from "#web/ui/button.tsx";
import { Callout } from "#web/ui/callout.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { BlockedWhileSaving } from "#web/ui/form/blocked-while-saving.tsx";
import { SelectField, TextField } from "#web/ui/form/fields.tsx";
import { FieldColumns, FormActions, SubmitButton } from "#web/ui/form/form-parts.tsx";
import { useLeaveGuard } from "#web/ui/form/leave-guard.tsx";
import { notify } from "#web/platform/notifications.ts";
import { fieldErrorsOf, messageOf, ServerError } from "#web/platform/server-error.ts";
import classes from "./upload-form.module.css";
import { UploadZone } from "./upload-zone.tsx";
import { isSent, type UploadedBuild, type UploadStanding, useUpload } from "./use-upload.ts";
import { fileSize } from "#schema/numbers.ts";

const loadRules = () => import("#schema/rules/software-upload.ts").then((file) => file.uploadFormRules);

const empty = {
  softwareStage: "",
  version: "",
  installationFile: null,
  applicationFilesZipFile: null,
  vstoFile: null,
};

const stages = softwareStages.map(({ value, label }) => ({ value: String(value), label }));

const leaving = {
  title: "Stop the Upload?",
  question: "The files are still on their way. When you leave, the upload stops and nothing of it is kept.",
};

const UNABLE = "Unable to upload the software.";

interface UploadFormProps {
  /** After an upload, also one whose answer never came. */
  onSettled: () => void;
  /** False once a build that was uploaded here has been published or deleted. */
  isWaiting: (id: string) => boolean;
  /** The person wants to publish what was uploaded. */
  onPublish: (build: UploadedBuild) => void;
}

/** Uploads a build of a stage: its installer, and the zip and `.vsto` of its ClickOnce files. */
export function UploadForm({ isWaiting, onSettled, onPublish }: UploadFormProps) {
  const form = useAppForm(loadRules, { defaultValues: empty as never }) as unknown as UseFormReturn<UploadFormValues>;
  const { control, formState } = form;
  const upload = useUpload();
  const guard = useLeaveGuard(upload.standing !== null, leaving);
  useEffect(openNoDroppedFile, []);
  const [done, setDone] = useState<UploadedBuild | null>(null);
  const [wasCancelled, setWasCancelled] = useState(false);

  async function send(values: UploadFormValues) {
    setDone(null);
    setWasCancelled(false);
    try {
      const build = await upload.start(values);
      setWasCancelled(build === null);
      if (!build) return;
      notify.success(`The software has been uploaded successfully. ${wordsOfUpload(build.version, build.stageLabel)}`);
      form.reset(empty as never);
      setDone(build);
    } catch (error) {
      throw withFixedSentence(error);
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
            label="Software Stage"
            options={stages}
            placeholder="Choose a stage"
          />
          <TextField
            control={control}
            name="version"
            label="Version"
            placeholder="Read from the files"
            hint="Enter it if the files don't state one."
            autoComplete="off"
            optional
          />
        </FieldColumns>
        <div className={classes.zones}>
          <UploadZone form={form} name="installationFile" />
          <UploadZone form={form} name="applicationFilesZipFile" optional />
          <UploadZone form={form} name="vstoFile" optional />
        </div>
      </BlockedWhileSaving>
      {upload.standing && <UploadProgress standing={upload.standing} />}
      <p role="status" className={classes.cancelled}>
        {wasCancelled && "The upload was cancelled."}
      </p>
      {formState.isDirty && (
        <FormActions>
          {upload.standing && !isSent(upload.standing) && (
            <Button variant="default" onClick={upload.cancel}>
              Cancel Upload
            </Button>
          )}
          <SubmitButton>Upload</SubmitButton>
        </FormActions>
      )}
      {guard.dialog}
    </AppForm>
  );
}

/** A file that is dropped beside a zone would be opened by the browser instead of the page, and end an upload. */
function openNoDroppedFile(): () => void {
  const refuse = (event: Event) => event.preventDefault();
  for (const kind of ["dragover", "drop"]) document.addEventListener(kind, refuse);
  return () => {
    for (const kind of ["dragover", "drop"]) document.removeEventListener(kind, refuse);
  };
}

/** What was uploaded, and the next step. Takes the focus, whose button has gone with the form's changes. */
function Done({ build, onPublish }: { build: UploadedBuild; onPublish: () => void }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <div ref={place} tabIndex={-1} className={classes.done}>
      <Callout tone="calm">
        <p>{wordsOfUpload(build.version, build.stageLabel)}</p>
        <div>
          <Button size="sm" onClick={onPublish}>
            Publish {build.version}
          </Button>
        </div>
      </Callout>
    </div>
  );
}

/** Puts the portal's own sentence first; what the server said of no field follows it. */
function withFixedSentence(error: unknown): Error {
  const fields = fieldErrorsOf(error);
  const hasFields = Object.keys(fields).length > 0;
  const said = hasFields ? "" : messageOf(error, "");
  return new ServerError([
    { message: said ? `${UNABLE} ${said}` : UNABLE, ...(hasFields ? { extensions: { fields } } : {}) },
  ]);
}

/** How far an upload is: bytes, per cent, time left; then, that the server is looking at what it got. */
function UploadProgress({ standing }: { standing: UploadStanding }) {
  const { sent, total, secondsLeft } = standing;
  const isChecking = isSent(standing);
  const percent = total > 0 ? Math.floor((100 * sent) / total) : 0;
  const words = isChecking ? "Checking the files" : "Uploading";
  return (
    <div className={classes.progress}>
      <div className={classes.standing}>
        <b role="status">{words}…</b>
        {!isChecking && <span>{percent} %</span>}
      </div>
      <progress aria-label={words} max={100} {...(isChecking ? {} : { value: percent })} />
      <p className={classes.bytes}>
        {isChecking
          ? `All ${fileSize(total)} have arrived. This takes a few seconds.`
          : [`${fileSize(sent)} of ${fileSize(total)}`, secondsLeft !== null && timeLeft(secondsLeft)]
              .filter(Boolean)
              .join(" · ")}
      </p>
    </div>
  );
}

/** Seconds as people say them; rounded, since nobody knows. */
function timeLeft(seconds: number): string {
  if (seconds < 5) return "a few seconds left";
  if (seconds < 55) return `about ${Math.ceil(seconds / 5) * 5} seconds left`;
  const minutes = Math.round(seconds / 60);
  return minutes <= 1 ? "about a minute left" : `about ${minutes} minutes left`;
}
