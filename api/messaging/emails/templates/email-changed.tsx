import { brand } from "#schema/brand.ts";
import { defineEmail, Facts, Paragraph, Support, UndoEmailChange } from "#api/messaging/emails/template.tsx";

interface EmailChangedData {
  readonly newEmail: string;
  /** True when staff changed the address; false when the user changed it and confirmed the new one. */
  readonly byStaff?: boolean;
  /**
   * Link that restores the address; null if the user has returned to an address they changed within the last 7 days, or
   * if nobody has signed in to the account yet.
   */
  readonly undoLink: string | null;
}

/** The last email to an address that was replaced by another one. */
export const emailChanged = defineEmail<EmailChangedData>({
  name: "email-changed",
  sample: ({ publicUrl }) => ({ newEmail: "ada@new.example", undoLink: `${publicUrl}/undo-email-change/?t=secret` }),
  subject: () => `Your email address at ${brand.name} has changed`,
  preview: () => "Sign in with your new address from now on.",
  because: `this address belonged to an account at ${brand.name} until now.`,
  heading: () => "Your email address has changed",
  body: ({ newEmail, byStaff = false, undoLink }) => (
    <>
      <Paragraph>
        {byStaff
          ? "Our staff changed the email address of your account."
          : "The new email address of your account is confirmed."}{" "}
        From now on, sign in with the new address. We'll also send our emails there. Your password, licences and devices
        haven't changed.
      </Paragraph>
      <Facts facts={[["New address", newEmail]]} />
      <Paragraph>
        {byStaff ? "If you requested this" : "If this was you"}, you don't need to do anything. If not,{" "}
        {undoLink ? "undo the change:" : "email us immediately:"} {!undoLink && <Support />}
      </Paragraph>
      {undoLink && <UndoEmailChange link={undoLink} />}
    </>
  ),
});
