import { brand } from "#schema/brand.ts";
import {
  Button,
  defineEmail,
  Facts,
  HelpNote,
  Paragraph,
  UndoEmailChange,
  orNull,
} from "#api/messaging/emails/template.tsx";

/** Notifies the current address that a change was requested, while the change can still be stopped. */
export const emailChanging = defineEmail({
  name: "email-changing",
  sample: ({ publicUrl }) => ({
    newEmail: "ada@new.example",
    /** Link that stops the change, or undoes it later; null if this address was never confirmed. */
    undoLink: orNull(`${publicUrl}/undo-email-change/?t=secret`),
  }),
  subject: () => `A new email address was requested for your ${brand.name} account`,
  preview: () => "Sign in with this address until the new one is confirmed.",
  heading: () => "A new email address was requested",
  body: ({ newEmail, undoLink }, { publicUrl }) => (
    <>
      <Paragraph>
        Someone, probably you, requested a new email address for your account. Nothing has changed yet. Until the new
        address is confirmed, sign in with this one.
      </Paragraph>
      <Facts facts={[["New address", newEmail]]} />
      <Paragraph>
        If this was you, open the email that we sent to the new address. If it wasn't, stop the change now:
      </Paragraph>
      {undoLink ? (
        <UndoEmailChange link={undoLink} />
      ) : (
        <>
          <Button href={`${publicUrl}/change-password/`}>Change password</Button>
          <HelpNote when="you can't sign in" />
        </>
      )}
    </>
  ),
});
