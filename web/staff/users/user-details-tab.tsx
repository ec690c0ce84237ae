import { Paper, Text } from "@mantine/core";
import {
  type UserDetailsFieldsFragment,
  useReportOpenFormMutation,
  UserSinceDocument,
  useUpdateUserMutation,
  useUserDetailsQuery,
} from "#web/generated/graphql.ts";
import { Loaded } from "#web/ui/loaded.tsx";
import type { UseFormReturn } from "react-hook-form";
import { useStaffRole } from "#web/platform/staff-role.tsx";
import { addressNames, formatFullAddress } from "#schema/address-forms.ts";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { BlockedWhileSaving, FormActions, SubmitButton } from "#web/ui/form/form-parts.tsx";
import { useLeaveGuard } from "#web/ui/form/leave-guard.tsx";
import { MergedFields, sendMerged } from "#web/ui/concurrent-edits/merged-form.tsx";
import { notify } from "#web/platform/notifications.ts";
import { renewClaimsFor } from "#web/platform/refresh-session.ts";
import { useRequestedAction } from "#web/platform/use-requested-action.ts";
import { BlockedMachines } from "./blocked-machines.tsx";
import { fieldLabels, UserFields } from "./user-fields.tsx";
import { type ListedMachine, toRoleCodes, toUserFormValues, type UpdateUserForm as Values } from "./user-values.ts";
import { toInput } from "#schema/field.ts";
import { blockMachineRules, memberTypes, updateUserFormRules, userFields } from "#schema/user.ts";
import { useApolloClient } from "@apollo/client/react";
import { findLabel } from "#schema/closed-list.ts";
import { staffRoles } from "#schema/staff-roles.ts";
import { useMergedEdits } from "#web/ui/concurrent-edits/use-merged-edits.ts";
import { useEffect, useEffectEvent, useState } from "react";
import { createRequestKey } from "#web/billing/request-key.ts";
import { Callout } from "#web/ui/callout.tsx";

/** Update User tab with the details form. */
export function UserDetailsTab({ userId }: { userId: string }) {
  // The cache may have outdated details, so the form loads from the network.
  const query = useUserDetailsQuery({ variables: { id: userId }, fetchPolicy: "network-only" });
  return (
    <Loaded query={query} failure="Unable to get the user details." loading="Loading the user details">
      {({ user }) => (
        <Paper withBorder radius="lg" shadow="sm" p="var(--xp-panel-padding)" maw="52rem">
          <OtherEditors key={`editors of ${user.id}`} userId={user.id} />
          <UpdateUserForm key={user.id} user={user} />
        </Paper>
      )}
    </Loaded>
  );
}

/** Form for all user details that staff edit. Unsaved input survives errors, lost responses and other admins' changes. */
function UpdateUserForm({ user }: { user: UserDetailsFieldsFragment }) {
  const [update] = useUpdateUserMutation();
  const form = useAppForm(updateUserFormRules, {
    defaultValues: toUserFormValues(user),
  }) as unknown as UseFormReturn<Values>;
  const merged = useMergedUser(form, user);
  const { base } = merged;
  useRequestedAction({ company: () => form.setFocus("companyName", { shouldSelect: true }) });
  const machine = useAppForm(blockMachineRules, { defaultValues: { machineName: "" } });
  const { dirtyFields, isSubmitting } = form.formState;
  const isDirty = form.formState.isDirty || machine.formState.isDirty;
  const guard = useLeaveGuard(isDirty);
  const canEdit = useStaffRole(user.memberType === "ADMIN" ? "owner" : "support");

  const focusMachine = useEffectEvent(() => {
    if (machine.getFieldState("machineName").invalid) machine.setFocus("machineName");
  });
  // The fields can't have the focus while the form is being submitted.
  useEffect(() => {
    if (!isSubmitting) focusMachine();
  }, [isSubmitting]);

  async function send(values: Values) {
    // Saving without it would look as if the machine were blocked.
    if (machine.getValues("machineName").trim() !== "")
      return machine.handleSubmit(() =>
        machine.setError("machineName", { message: "Add this machine to the list, or clear the field." }),
      )();
    const isAddressChanged = addressNames.some((name) => dirtyFields[name]);
    const input = {
      ...toInput(userFields, values),
      position: values.position ?? "",
      fullAddress: isAddressChanged ? formatFullAddress(values) : base.fullAddress,
      blockedMachines: values.blockedMachines.map(({ machineName }) => ({ machineName })),
      staffRoles: toRoleCodes(values),
      revision: base.revision,
    };
    await sendMerged(merged, async () => {
      const { data } = await update({ variables: { id: base.id, input } });
      if (!data) return;
      merged.restart(data.updateUser);
      renewClaimsFor(base.id);
      notify.success("The user details have been updated.");
    });
  }

  return (
    <AppForm form={form} onSubmit={send} fallback="Unable to update the user details." label="User Details">
      {guard.dialog}
      <MergedFields merged={merged} noun="user">
        <BlockedWhileSaving>
          <UserFields form={form} emailHint="A new address works immediately. We'll notify the old address." />
          <BlockedMachines form={form} box={machine} />
        </BlockedWhileSaving>
      </MergedFields>
      <FormActions>
        {canEdit ? (
          <SubmitButton>Submit</SubmitButton>
        ) : (
          <Text span c="dimmed" fz="sm">
            Your staff role doesn't include changes to this user.
          </Text>
        )}
        {isDirty && (
          <Text span c="dimmed" fz="sm">
            You have unsaved changes.
          </Text>
        )}
      </FormActions>
    </AppForm>
  );
}

/** Form values merged field by field. The one-line address is derived from its parts. */
type Merged = Omit<Values, "fullAddress">;

/** Merges the form with changes that others saved to the user in the meantime. */
function useMergedUser(form: UseFormReturn<Values>, user: UserDetailsFieldsFragment) {
  const client = useApolloClient();
  return useMergedEdits<UserDetailsFieldsFragment, Merged>(user, {
    toValues: toUserFormValues,
    read: () => ({ ...form.getValues() }),
    restart: (stored) => form.reset(toUserFormValues(stored)),
    write: (values, name) => form.setValue(name, values[name] as never, { shouldDirty: true }),
    labels: fieldLabels,
    formatValue,
    fallbackName: "The user",
    loadLatest: async ({ id, revision }) => {
      const { data } = await client.query({
        query: UserSinceDocument,
        variables: { id, revision },
        fetchPolicy: "network-only",
      });
      if (!data) throw new Error("The response has no user.");
      return { stored: data.user, changes: data.userChanges };
    },
  });
}

function formatValue(values: Merged, name: keyof Merged): string {
  const value: unknown = values[name];
  if (name === "memberType") return findLabel(memberTypes, Number(value));
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (name === "staffRoles")
    return (values.staffRoles ?? []).map((role) => findLabel(staffRoles, role ?? "")).join(", ");
  if (Array.isArray(value)) return (value as ListedMachine[]).map(({ machineName }) => machineName).join(", ");
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** Pause between heartbeats while the tab is visible, in milliseconds. */
const BEAT_MS = 20_000;
/** Pause between heartbeats of a background tab, in milliseconds. Browsers allow no shorter one. */
const HIDDEN_BEAT_MS = 60_000;

/** Says which other admins have the details form of a user open. Shows nothing while nobody else does, or while offline. */
function OtherEditors({ userId }: { userId: string }) {
  const names = useOtherEditors(userId);
  return (
    <div role="status">
      {names.length > 0 && (
        <Callout tone="notice">
          <p>
            <b>{new Intl.ListFormat("en-AU").format(names)}</b> also {names.length === 1 ? "has" : "have"} this form
            open.
          </p>
        </Callout>
      )}
    </div>
  );
}

/** Sends heartbeats while mounted. The caller remounts it for another user. */
function useOtherEditors(userId: string): readonly string[] {
  const [names, setNames] = useState<readonly string[]>([]);
  const [report] = useReportOpenFormMutation();
  const send = useEffectEvent((tabId: string, isOpen: boolean) =>
    report({ variables: { userId, tabId, isOpen }, fetchPolicy: "no-cache" }),
  );

  useEffect(() => {
    const tabId = createRequestKey();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let lastSentAt = 0;
    let isClosed = false;

    async function beat() {
      lastSentAt = Date.now();
      // The next heartbeat tries again, so a failed one is not worth a message.
      const result = await send(tabId, true).catch(() => null);
      const others = result?.data?.reportOpenForm;
      if (isClosed) return;
      if (others) setNames(others.map(({ name }) => name));
      schedule();
    }
    function schedule() {
      clearTimeout(timer);
      const pauseMs = document.hidden ? HIDDEN_BEAT_MS : BEAT_MS;
      timer = setTimeout(() => void beat(), Math.max(0, lastSentAt + pauseMs - Date.now()));
    }

    void beat();
    document.addEventListener("visibilitychange", schedule);
    return () => {
      isClosed = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", schedule);
      void send(tabId, false).catch(() => undefined);
    };
  }, []);

  return names;
}
