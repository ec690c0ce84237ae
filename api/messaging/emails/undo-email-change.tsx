import { Button, LinkInFull, Note, Support } from "./parts.tsx";

/** The link that undoes a change of the email address, with its effect. */
export function UndoEmailChange({ link }: { link: string }) {
  return (
    <>
      <Button href={link}>Undo the change</Button>
      <LinkInFull href={link} />
      <Note>
        This restores your old address, signs you out everywhere, and lets you choose a new password. The link works
        once and is valid for 7 days. If you need help, email <Support />
      </Note>
    </>
  );
}
