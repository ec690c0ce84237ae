import { useWatch } from "react-hook-form";
import { minimumVersionRules } from "#schema/rules/software.ts";
import { type SoftwareChannelFieldsFragment, useSetMinimumAddInVersionMutation } from "#web/generated/graphql.ts";
import { Button } from "#web/ui/button.tsx";
import { Callout } from "#web/ui/callout.tsx";
import { AppDialog, DialogActions } from "#web/ui/confirm-dialog.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { TextField } from "#web/ui/form/fields.tsx";
import { SubmitButton } from "#web/ui/form/form-parts.tsx";
import { notify } from "#web/platform/notifications.ts";

type Channel = Pick<SoftwareChannelFieldsFragment, "stage" | "minimumVersion" | "offered">;

interface MinimumVersionDialogProps {
  /** Null while the dialog is closed. */
  channel: Channel | null;
  onClose: () => void;
  onSaved: () => void;
}

/** Says which version is the oldest that may still run, and what that does to the people who have an older one. */
export function MinimumVersionDialog({ channel, ...others }: MinimumVersionDialogProps) {
  return (
    <AppDialog opened={channel !== null} title="Minimum Version" onClose={others.onClose}>
      {channel && <MinimumVersionForm channel={channel} {...others} />}
    </AppDialog>
  );
}

function MinimumVersionForm(props: MinimumVersionDialogProps & { channel: Channel }) {
  const { channel, onClose, onSaved } = props;
  const [setMinimum] = useSetMinimumAddInVersionMutation();
  const form = useAppForm(minimumVersionRules, {
    defaultValues: { stage: channel.stage, version: channel.minimumVersion ?? "" },
  });
  const wanted = useWatch({ control: form.control, name: "version" })?.trim();

  return (
    <AppForm
      form={form}
      fallback="Unable to set the minimum version."
      onSubmit={async ({ stage, version }) => {
        await setMinimum({ variables: { stage, version: version || null } });
        notify.success(
          version ? `Versions older than ${version} may not run any more.` : "Every version may run from now on.",
        );
        onClose();
        onSaved();
      }}
    >
      <TextField
        control={form.control}
        name="version"
        label="Oldest Version That May Run"
        hint={channel.offered ? `Offered now: ${channel.offered.version}` : undefined}
        autoComplete="off"
        focusFirst
        optional
      />
      <Callout key={wanted ? "some" : "all"} tone={wanted ? "critical" : "calm"}>
        <p>
          {wanted
            ? `Add-ins older than ${wanted} stop working in every stage, the next time they ask, until they are updated.`
            : "Without a version, every add-in may run, however old it is."}
        </p>
      </Callout>
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <SubmitButton danger={Boolean(wanted)}>Save</SubmitButton>
      </DialogActions>
    </AppForm>
  );
}
