import { Text } from "@mantine/core";
import { useWatch } from "react-hook-form";
import { cleanText, countCharacters } from "#schema/clean-text.ts";
import { COMMENT_CHARACTERS } from "#schema/limits.ts";
import { commentRules } from "#schema/comment.ts";
import { useAddCommentMutation } from "#web/generated/graphql.ts";
import type { DialogControl } from "#web/ui/confirm-dialog.tsx";
import { useAppForm } from "#web/ui/form/app-form.tsx";
import { TextAreaField } from "#web/ui/form/fields.tsx";
import { FormDialog } from "#web/ui/form/form-dialog.tsx";

interface AddCommentDialogProps extends DialogControl {
  userId: string;
  onAdded: () => void;
}

/** Adds a comment about a user. The form resets each time the dialog opens. */
export default function AddCommentDialog({ userId, onAdded, ...dialog }: AddCommentDialogProps) {
  const [add] = useAddCommentMutation();
  const form = useAppForm(commentRules, { defaultValues: { comment: "" } });
  const typed: unknown = useWatch({ control: form.control, name: "comment" });
  const count = typeof typed === "string" ? countCharacters(cleanText(typed).trim()) : 0;

  return (
    <FormDialog
      {...dialog}
      title="Add a comment"
      size="lg"
      form={form}
      onSubmit={({ comment }) => add({ variables: { userId, comment } })}
      success="Comment has been successfully saved."
      onDone={onAdded}
      fallback="Unable to add the comment."
    >
      <div>
        <TextAreaField
          control={form.control}
          name="comment"
          label="Comment"
          hint="Only staff can see comments. You can't change a comment later. Customers get comments about them in their data export."
          rows={6}
          focusFirst
        />
        <Text c={count > COMMENT_CHARACTERS ? "var(--xp-critical)" : "dimmed"} fz="xs" ta="end" mt={6}>
          {count} of {COMMENT_CHARACTERS} characters
        </Text>
      </div>
    </FormDialog>
  );
}
