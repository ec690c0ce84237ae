import { useApolloClient } from "@apollo/client/react";
import type { UseFormReturn } from "react-hook-form";
import { memberTypes } from "#schema/user.ts";
import { findLabel } from "#schema/closed-list.ts";
import { staffRoles } from "#schema/staff-roles.ts";
import { type UserDetailsFieldsFragment, UserSinceDocument } from "#web/generated/graphql.ts";
import { useMergedEdits } from "#web/ui/concurrent-edits/use-merged-edits.ts";
import { fieldLabels } from "./user-fields.tsx";
import { toUserFormValues, type ListedMachine, type UpdateUserForm } from "./user-values.ts";

/** Form values merged field by field. The one-line address is derived from its parts. */
type Merged = Omit<UpdateUserForm, "fullAddress">;

/** Merges the form with changes that others saved to the user in the meantime. */
export function useMergedUser(form: UseFormReturn<UpdateUserForm>, user: UserDetailsFieldsFragment) {
  const client = useApolloClient();
  return useMergedEdits<UserDetailsFieldsFragment, Merged>(user, {
    toValues: toUserFormValues,
    read: () => ({ ...form.getValues() }),
    restart: (stored) => form.reset(toUserFormValues(stored)),
    write: (values, name) => form.setValue(name, values[name] as never, { shouldDirty: true }),
    labels: fieldLabels,
    formatValue: formatValue,
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
