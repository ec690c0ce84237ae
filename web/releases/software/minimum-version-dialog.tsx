import { useWatch } from "react-hook-form";
import { minimumVersionRules, softwareStages } from "#schema/software.ts";
import { type SoftwareChannelFieldsFragment, useSetMinimumAddInVersionMutation } from "#web/generated/graphql.ts";
import { Callout } from "#web/ui/callout.tsx";
import type { DialogControl } from "#web/ui/confirm-dialog.tsx";
import { useAppForm } from "#web/ui/form/app-form.tsx";
import { TextField } from "#web/ui/form/fields.tsx";
import { FormDialog } from "#web/ui/form/form-dialog.tsx";
import { toValue } from "#schema/closed-list.ts";

type Channel = Pick<SoftwareChannelFieldsFragment, "stage" | "minimumVersion" | "offered">;

interface MinimumVersionDialogProps extends DialogControl {
  channel: Channel;
  onSaved: () => void;
}

/** Dialog that sets the oldest version allowed to run and explains the effect on older add-ins. */
export default function MinimumVersionDialog({ channel, onSaved, ...dialog }: MinimumVersionDialogProps) {
  const [setMinimum] = useSetMinimumAddInVersionMutation();
  const form = useAppForm(minimumVersionRules, {
    defaultValues: { stage: toValue(softwareStages, channel.stage), version: channel.minimumVersion ?? "" },
  });
  const minimum = useWatch({ control: form.control, name: "version" })?.trim();

  return (
    <FormDialog
      {...dialog}
      title="Minimum version"
      form={form}
      fallback="Unable to set the minimum version."
      onSubmit={({ version }) => setMinimum({ variables: { stage: channel.stage, version: version || null } })}
      success={({ version }) =>
        version ? `Versions older than ${version} can no longer run.` : "Every version can run now."
      }
      onDone={onSaved}
      danger={Boolean(minimum)}
    >
      <TextField
        control={form.control}
        name="version"
        label="Oldest version that may run"
        hint={channel.offered ? `Currently offered: ${channel.offered.version}` : undefined}
        autoComplete="off"
        focusFirst
        optional
      />
      <Callout key={minimum ? "some" : "all"} tone={minimum ? "critical" : "calm"}>
        <p>
          {minimum
            ? `Add-ins older than ${minimum} in every stage will stop working at their next licence check, until they are updated.`
            : "Without a minimum version, every add-in may run."}
        </p>
      </Callout>
    </FormDialog>
  );
}
