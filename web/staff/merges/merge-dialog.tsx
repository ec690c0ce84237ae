import { Stack, Text } from "@mantine/core";
import { useApolloClient } from "@apollo/client/react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import type { InferType } from "yup";
import { mergeTargetRules, UNDO_DAYS } from "#schema/account-merge.ts";
import {
  MergePreviewDocument,
  type MergePreviewQuery,
  type UserHeaderFieldsFragment,
  useMergeAccountsMutation,
} from "#web/generated/graphql.ts";
import { notify } from "#web/platform/notifications.ts";
import { BusyButton } from "#web/ui/busy-button.tsx";
import { Button } from "#web/ui/button.tsx";
import { Callout } from "#web/ui/callout.tsx";
import { AppDialog, DialogActions, type DialogControl } from "#web/ui/confirm-dialog.tsx";
import { FactGrid } from "#web/ui/fact-cards.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { TextField } from "#web/ui/form/fields.tsx";
import { FormDialogActions } from "#web/ui/form/form-dialog.tsx";
import { describeRows } from "./merges-card.tsx";

type Preview = MergePreviewQuery["mergePreview"];
type User = Pick<UserHeaderFieldsFragment, "id" | "email">;

/** Dialog that merges another account of a customer into this one: finds it by its address, then shows what moves. */
export default function MergeDialog({ user, ...control }: DialogControl & { user: User }) {
  const [preview, setPreview] = useState<Preview | null>(null);
  const form = useAppForm(mergeTargetRules, { defaultValues: { email: "" } });
  return (
    <AppDialog opened={control.opened} title="Merge accounts" onClose={control.onClose}>
      {preview ? (
        <PreviewedMerge user={user} preview={preview} onBack={() => setPreview(null)} onClose={control.onClose} />
      ) : (
        <FindForm user={user} form={form} onFound={setPreview} onClose={control.onClose} />
      )}
    </AppDialog>
  );
}

type Target = InferType<typeof mergeTargetRules>;

interface FindFormProps {
  user: User;
  form: UseFormReturn<Target>;
  onFound: (preview: Preview) => void;
  onClose: () => void;
}

function FindForm({ user, form, onFound, onClose }: FindFormProps) {
  const client = useApolloClient();
  const focusAgain = useEffectEvent(() => {
    if (form.formState.isSubmitted) form.setFocus("email");
  });
  useEffect(() => focusAgain(), []);

  async function find(target: Target) {
    const { data } = await client.query({
      query: MergePreviewDocument,
      variables: { keptId: user.id, target },
      fetchPolicy: "network-only",
    });
    if (data) onFound(data.mergePreview);
  }

  return (
    <AppForm form={form} onSubmit={find} fallback="Unable to find the account." label="Merge accounts">
      <Text c="dimmed">
        {user.email} goes on. The customer&rsquo;s other account ends, and what it has moves here. If it has a
        subscription, open that account and merge this one into it.
      </Text>
      <TextField
        control={form.control}
        name="email"
        label="Email address of the other account"
        autoComplete="off"
        inputMode="email"
      />
      <FormDialogActions submit="Preview" onCancel={onClose} />
    </AppForm>
  );
}

function PreviewedMerge(props: { user: User; preview: Preview; onBack: () => void; onClose: () => void }) {
  const { user, preview, onBack, onClose } = props;
  const { merged, moves, stays, refusal } = preview;
  const [merge, { loading, client }] = useMergeAccountsMutation();
  // The pressed button is gone, and screen readers start with what was found.
  const found = useRef<HTMLDivElement>(null);
  useEffect(() => found.current?.focus(), []);

  async function confirm() {
    notify.clearErrors();
    try {
      await merge({ variables: { keptId: user.id, mergedId: merged.id } });
      notify.success("The accounts are merged.");
      onClose();
      void client.refetchQueries({ include: "active" }).catch(() => undefined);
    } catch (error) {
      notify.failure(error, "Unable to merge the accounts.");
    }
  }

  return (
    <Stack ref={found} tabIndex={-1} gap="md">
      <FactGrid
        facts={[
          ["Ends", `${merged.firstName} ${merged.lastName}, ${merged.email}`],
          ["Goes on", user.email],
          ["Moves", describeRows(moves) || "Nothing"],
          ["Stays with the account that ends", describeRows(stays) || "Nothing"],
        ]}
        minWidth="13rem"
      />
      {refusal ? (
        <div role="alert">
          <Callout tone="critical">{refusal}</Callout>
        </div>
      ) : (
        <Text c="dimmed">
          Both addresses get an email. {merged.email} can&rsquo;t sign in any more and is told to use {user.email}. You
          can undo this for {UNDO_DAYS} days.
        </Text>
      )}
      <DialogActions>
        <Button variant="default" onClick={onBack} disabled={loading}>
          Back
        </Button>
        {!refusal && (
          <BusyButton color="red" onPress={confirm}>
            Merge
          </BusyButton>
        )}
      </DialogActions>
    </Stack>
  );
}
