import { brand } from "#schema/brand.ts";
import {
  Button,
  defineImpersonalEmail,
  LinkInFull,
  Note,
  Paragraph,
  Support,
  TextLink,
} from "#api/messaging/emails/template.tsx";

/** What the owner of a taken address has to know. */
export interface TakenAddress {
  /** Until when nobody else can use the address, if the account has another one since; otherwise null. */
  readonly reservedUntil: Date | null;
  /** True if the account is archived, so that nobody can sign in to it. */
  readonly isArchived: boolean;
  /** The address of the account that an archived one was merged into, otherwise null. */
  readonly keptEmail: string | null;
  /** True if the address isn't confirmed, so that nobody can sign in to the account yet. */
  readonly isUnconfirmed: boolean;
}

interface AlreadyRegisteredData extends TakenAddress {
  /** Set when another account requested the address; absent for a registration. */
  readonly wantedBy?: "other-account";
}

/**
 * Notifies the owner of an address that it was used for another registration or requested for another account.
 * The page shows the same message as for a new address, so it never reveals that an account exists
 * (docs/domain.md#no-account-disclosure).
 */
export const alreadyRegistered = defineImpersonalEmail<AlreadyRegisteredData>({
  name: "already-registered",
  sample: () => ({ reservedUntil: null, isArchived: false, keptEmail: null, isUnconfirmed: false }),
  subject: () => `You already have an account at ${brand.name}`,
  preview: ({ wantedBy }) => `Someone tried to ${describeAttempt(wantedBy)} your address.`,
  heading: () => "You already have an account",
  body: ({ reservedUntil, isArchived, keptEmail, isUnconfirmed, wantedBy }, { publicUrl, dateTime }) => (
    <>
      <Paragraph>
        Someone, probably you, tried to {describeAttempt(wantedBy)} this email address.{" "}
        {reservedUntil
          ? `Your account has a new address, so sign in with that one. Nobody else can use this one until ${dateTime(reservedUntil)}.`
          : "You already have an account with this address, so nothing has changed."}{" "}
        {isUnconfirmed
          ? "The address isn't confirmed yet. Open the link in our earlier email, or reset your password, which confirms it, too."
          : !reservedUntil && !isArchived && "You can sign in as usual."}
      </Paragraph>
      {keptEmail && (
        <Paragraph>This account was merged into your other one. Sign in with {keptEmail} from now on.</Paragraph>
      )}
      {isArchived && !keptEmail && (
        <Paragraph>
          Your account isn't active, so you can't sign in. To use it again, email <Support />
        </Paragraph>
      )}
      {reservedUntil ? (
        <Paragraph>If you didn't change the address, undo that with the link in our email about the change.</Paragraph>
      ) : null}
      {(keptEmail || (!isArchived && !isUnconfirmed)) && (
        <>
          <Button href={`${publicUrl}/login`}>Sign in</Button>
          <LinkInFull href={`${publicUrl}/login`} />
        </>
      )}
      {isUnconfirmed && <Button href={`${publicUrl}/forgot-password/`}>Reset your password</Button>}
      {!wantedBy && !reservedUntil && !isArchived && !isUnconfirmed ? (
        <Paragraph>
          Forgot your password? <TextLink href={`${publicUrl}/forgot-password/`}>Reset your password</TextLink>
        </Paragraph>
      ) : null}
      <Note>
        If this wasn't you, you don't need to do anything. Your account hasn't changed. If it happens again, email{" "}
        <Support />
      </Note>
    </>
  ),
});

function describeAttempt(wantedBy: AlreadyRegisteredData["wantedBy"]): string {
  return wantedBy ? "change another account to" : "create an account with";
}
