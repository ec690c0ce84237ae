import { paths } from "#web/platform/paths.ts";
import { EmptyState } from "#web/ui/message-state.tsx";
import { LinkButton } from "#web/ui/button.tsx";

/** There is no subscription to change: says so, and where to get one. */
export function NoSubscription({ message }: { message: string }) {
  return (
    <EmptyState message={message}>
      <LinkButton to={paths.manageSubscription.href()}>Subscribe</LinkButton>
    </EmptyState>
  );
}
