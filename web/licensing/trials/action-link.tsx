import { useTrialOffer } from "./trial-standing.ts";
import { LinkButton } from "#web/ui/button.tsx";

export interface ActionLinkProps {
  link: { readonly label: string; readonly to: string };
  variant?: "filled" | "default";
  size?: "md" | "lg";
}

/** A link of the content as a button: to a page of the portal, to a part of this page, or to a mailbox. */
export function ActionLink({ link, variant = "filled", size = "lg" }: ActionLinkProps) {
  const { label, to } = useTrialOffer(link);
  return (
    <LinkButton {...(to.startsWith("/") ? { to } : { href: to })} variant={variant} size={size}>
      {label}
    </LinkButton>
  );
}
