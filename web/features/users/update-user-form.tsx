import { lazy, Suspense } from "react";
import type { UseFormReturn } from "react-hook-form";
import type { UpdateUserValues } from "#schema/rules/user-form.ts";
import type { ErrorReason } from "#schema/error-codes.ts";
import { fullAddressOf } from "#web/features/addresses/full-address.ts";
import { type UserDetailsFieldsFragment, useUpdateUserMutation } from "#web/generated/graphql.ts";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { FormActions, SubmitButton } from "#web/ui/form/form-parts.tsx";
import { useLeaveGuard } from "#web/ui/form/leave-guard.tsx";
import { notify } from "#web/ui/notifications.ts";
import { reasonOf } from "#web/ui/server-error.ts";
import { BlockedMachines } from "./blocked-machines.tsx";
import { BlockedWhileSaving } from "./blocked-while-saving.tsx";
import { ContestedContext } from "./contested.tsx";
import { useMergedUser } from "./use-merged-user.ts";
import { addressNames, UserFields } from "./user-fields.tsx";
import classes from "./user-form.module.css";
import { formValuesOf, type UpdateUserForm as Values } from "./user-values.ts";

const loadRules = () => import("#schema/rules/user-form.ts").then((file) => file.updateUserRules);

/** Few ever see it. */
const MeanwhileNote = lazy(() => import("./meanwhile-note.tsx"));

/** Everything staff edit of a user. What was typed survives refusals, lost answers and another admin's change. */
export function UpdateUserForm({ user }: { user: UserDetailsFieldsFragment }) {
  // A lost answer must not lead to the maintenance page, away from what was typed.
  const [update] = useUpdateUserMutation({ context: { staysOnPage: true } });
  const form = useAppForm(loadRules, {
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
        {meanwhile && (
          <Suspense fallback={null}>
            <MeanwhileNote meanwhile={meanwhile} onSettle={(whose) => settle(contested, whose)} />
          </Suspense>
        )}
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
