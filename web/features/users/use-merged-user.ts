import { useApolloClient } from "@apollo/client/react";
import { useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import { labelOf, memberTypes } from "#schema/catalogue.ts";
import { type UserDetailsFieldsFragment, UserSinceDocument, type UserSinceQuery } from "#web/generated/graphql.ts";
import type { ContestedField } from "./contested.tsx";
import { mergeEdits } from "./merge-edits.ts";
import { fieldLabels } from "./user-fields.tsx";
import { formValuesOf, type ListedMachine, type UpdateUserForm } from "./user-values.ts";

type Name = keyof UpdateUserForm & keyof typeof fieldLabels;
type Change = UserSinceQuery["userChanges"][number];

/** What somebody else saved while this form was open. */
export interface Meanwhile {
  /** Who, in words. */
  by: string;
  /** Labels of the fields that only they changed; theirs stand in the form now. */
  taken: string[];
  /** By name; a field leaves when it is settled. */
  contested: Readonly<Record<string, ContestedField>>;
}

/**
 * The user that the form stands on, and what happens when somebody else was quicker: what was typed stays, what only
 * they changed is taken over, and fields that both changed wait to be settled.
 */
export function useMergedUser(form: UseFormReturn<UpdateUserForm>, user: UserDetailsFieldsFragment) {
  const client = useApolloClient();
  const [base, setBase] = useState(user);
  const [meanwhile, setMeanwhile] = useState<Meanwhile | null>(null);

  async function bringTogether(): Promise<void> {
    const { data } = await client.query({
      query: UserSinceDocument,
      variables: { id: base.id, revision: base.revision },
      fetchPolicy: "network-only",
    });
    if (!data) throw new Error("The user was not answered.");
    const theirs = formValuesOf(data.user);
    const mine = { ...form.getValues() };
    const { values, contested, taken } = mergeEdits(formValuesOf(base), mine, theirs);
    form.reset(theirs);
    for (const name of Object.keys(theirs) as Name[]) form.setValue(name, values[name] as never, { shouldDirty: true });
    setBase(data.user);
    const fields = (contested as Name[]).map((name) => {
      const by = whoChanged(name, data.userChanges);
      return [
        name,
        { label: fieldLabels[name], by, theirs: inWords(name, theirs), mine: inWords(name, mine) },
      ] as const;
    });
    setMeanwhile({
      by: [...new Set(data.userChanges.map(nameOf))].join(", ") || "The person",
      taken: (taken as Name[]).map((name) => fieldLabels[name]),
      contested: Object.fromEntries(fields),
    });
  }

  return {
    base,
    meanwhile,
    bringTogether,
    /** Begins anew with what has been saved. */
    begin: (saved: UserDetailsFieldsFragment) => {
      setBase(saved);
      setMeanwhile(null);
      form.reset(formValuesOf(saved));
    },
    settle: (names: readonly string[], whose: "mine" | "theirs") => {
      const theirs = formValuesOf(base);
      for (const name of names as Name[])
        if (whose === "theirs") form.setValue(name, theirs[name] as never, { shouldDirty: true });
      setMeanwhile(
        (known) =>
          known && {
            ...known,
            contested: Object.fromEntries(Object.entries(known.contested).filter(([name]) => !names.includes(name))),
          },
      );
    },
  };
}

function whoChanged(name: string, changes: readonly Change[]): string {
  const last = changes.findLast(({ fields }) => fields.includes(name));
  return last ? nameOf(last) : "The person";
}

/** The audit log has the address beside the name. */
function nameOf({ actorName }: Change): string {
  return actorName.replace(/ <[^>]*>$/, "");
}

function inWords(name: Name, values: UpdateUserForm): string {
  const value: unknown = values[name];
  if (name === "memberType") return labelOf(memberTypes, Number(value));
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (Array.isArray(value)) return (value as ListedMachine[]).map(({ machineName }) => machineName).join(", ");
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
