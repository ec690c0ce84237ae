import { brand } from "#schema/brand.ts";
import {
  Button,
  defineEmail,
  Facts,
  LinkInFull,
  Note,
  orNull,
  Paragraph,
  Support,
} from "#api/messaging/emails/template.tsx";

/** The first email to a user whose account was created by staff. It never contains the password. */
export const accountCreated = defineEmail({
  name: "account-created",
  sample: ({ publicUrl }) => ({
    /** The address to sign in with. */
    email: "ada@example.com",
    /** The link to choose a password, and for how long it works. Null for an imported user, who has to ask for one. */
    invitation: orNull({ link: `${publicUrl}/reset-password/?t=secret`, expiresIn: "7 days" }),
    /** True for staff, who have no licences. */
    isAdmin: false,
  }),
  subject: () => `Your ${brand.name} account is ready`,
  preview: () => "Choose a password and sign in.",
  because: `our staff created an account with this address at ${brand.name}.`,
  heading: () => "Your account is ready",
  body: ({ email, invitation, isAdmin }, { publicUrl }) => (
    <>
      <Paragraph>
        We created an account for you. Choose a password that only you know.{" "}
        {invitation
          ? `You'll then be signed in${isAdmin ? "" : ", and you can find your licences under My Account"}.`
          : "To do so, enter your email address on the next page. We'll send you a link by email."}
      </Paragraph>
      <Facts facts={[["Sign in with", email]]} />
      <Button href={invitation?.link ?? `${publicUrl}/forgot-password/`}>Choose password</Button>
      {invitation && (
        <>
          <LinkInFull href={invitation.link} />
          <Note>
            The link works once and expires in {invitation.expiresIn}. After that, select Forgot Password on the sign-in
            page.
          </Note>
        </>
      )}
      <Note>
        If you didn't expect this email, write to <Support /> and we'll close the account.
      </Note>
    </>
  ),
});
