import type { UseFormReturn } from "react-hook-form";
import { type UpdateUserValues, updateUserRules } from "#schema/rules/user-form.ts";
import type { ErrorReason } from "#schema/error-codes.ts";
import { fullAddressOf } from "#web/features/addresses/full-address.ts";
import { type UserDetailsFieldsFragment, useUpdateUserMutation } from "#web/generated/graphql.ts";
import { Button } from "#web/ui/button.tsx";
import { Callout } from "#web/ui/callout.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { BlockedWhileSaving } from "#web/ui/form/blocked-while-saving.tsx";
import { FormActions, SubmitButton } from "#web/ui/form/form-parts.tsx";
import { useLeaveGuard } from "#web/ui/form/leave-guard.tsx";
import { notify } from "#web/ui/notifications.ts";
import { reasonOf } from "#web/ui/server-error.ts";
import { BlockedMachines } from "./blocked-machines.tsx";
import { ContestedContext } from "./contested.tsx";
import { type Meanwhile, useMergedUser } from "./use-merged-user.ts";
import { addressNames, UserFields } from "./user-fields.tsx";
import classes from "./user-form.module.css";
import { formValuesOf, type UpdateUserForm as Values } from "./user-values.ts";

/** Everything staff edit of a user. What was typed survives refusals, lost answers and another admin's change. */
export function UpdateUserForm({ user }: { user: UserDetailsFieldsFragment }) {
  // A lost answer must not lead to the maintenance page, away from what was typed.
  const [update] = useUpdateUserMutation({ context: { staysOnPage: true } });
  const form = useAppForm(updateUserRules, {
    defaultValues: formValuesOf(user) as UpdateUserValues,
  }) as unknown as UseFormReturn<Values>;
  const { base, meanwhile, bringTogether, begin, settle } = useMergedUser(form, user);
  const { isDirty, dirtyFields } = form.formState;
  const guard = useLeaveGuard(isDirty);
  const contested = Object.keys(meanwhile?.contested ?? {});

  async function send(values: Values) {
    if (contested.length > 0) {
      notify.error("Please choose a value for each field that you both changed, and submit again.");
      return;
    }
    const hasMoved = addressNames.some((name) => dirtyFields[name]);
    const input = {
      ...values,
      position: values.position ?? "",
      fullAddress: hasMoved ? fullAddressOf(values) : base.fullAddress,
      blockedMachines: values.blockedMachines.map(({ machineName }) => ({ machineName })),
      revision: base.revision,
    };
    try {
      const { data } = await update({ variables: { id: base.id, input } });
      if (!data) return;
      begin(data.updateUser);
      notify.success("The user details have been updated.");
    } catch (error) {
      if (reasonOf(error) !== ("STALE_REVISION" satisfies ErrorReason)) throw error;
      await bringTogether();
    }
  }

  return (
    <AppForm form={form} onSubmit={send} fallback="Unable to update the user details." label="User Details">
      {guard.dialog}
      <ContestedContext
        value={meanwhile && { fields: meanwhile.contested, settle: (name, whose) => settle([name], whose) }}
      >
        {meanwhile && <MeanwhileNote meanwhile={meanwhile} onSettle={(whose) => settle(contested, whose)} />}
        <BlockedWhileSaving>
          <UserFields form={form} emailHint="Another address works at once, and the old one is told." />
          <BlockedMachines form={form} />
        </BlockedWhileSaving>
      </ContestedContext>
      <FormActions>
        <SubmitButton>Submit</SubmitButton>
        {isDirty && <span className={classes.note}>You have changes that are not saved yet.</span>}
      </FormActions>
    </AppForm>
  );
}

function MeanwhileNote(props: { meanwhile: Meanwhile; onSettle: (whose: "mine" | "theirs") => void }) {
  const { meanwhile, onSettle } = props;
  const { by, taken, contested } = meanwhile;
  const open = Object.values(contested).map(({ label }) => label);
  return (
    <div role="alert">
      <Callout tone="notice">
        <p>
          <b>{by}</b> saved this user while you were editing. Nothing of yours is lost, and nothing of yours is saved
          yet.
        </p>
        {taken.length > 0 && <p>Taken over from them, as you had not changed it: {taken.join(", ")}.</p>}
        {open.length > 0 ? (
          <>
            <p>You both changed: {open.join(", ")}. Choose below, field by field, or all at once, then submit again.</p>
            <div>
              <Button size="sm" variant="default" onClick={() => onSettle("theirs")}>
                Take all of theirs
              </Button>
              <Button size="sm" variant="default" onClick={() => onSettle("mine")}>
                Keep all of mine
              </Button>
            </div>
          </>
        ) : (
          <p>Look it over and submit again.</p>
        )}
      </Callout>
    </div>
  );
}
