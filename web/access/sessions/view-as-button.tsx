import { Button } from "@mantine/core";
import { IconEye } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { paths } from "#web/platform/paths.ts";
import { useViewableUserQuery, useViewAsCustomerMutation } from "#web/generated/graphql.ts";
import { useRequestedAction } from "#web/platform/use-requested-action.ts";
import { notify } from "#web/platform/notifications.ts";
import { generateHandoverKey, offerView, type ViewTokens } from "./view-handover.ts";

/**
 * Button that opens the portal as this customer in a new tab (decision 0035). Hidden for admins and archived accounts.
 */
export function ViewAsButton({ userId }: { userId: string }) {
  const { data } = useViewableUserQuery({ variables: { id: userId } });
  const [viewAsCustomer] = useViewAsCustomerMutation();
  const [isOpening, setIsOpening] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  // Viewing is recorded, so a link only leads to the button.
  useRequestedAction({ view: () => button.current?.focus() }, data !== undefined);
  if (!data || !data.user.isActive || data.user.memberType === "ADMIN") return null;

  async function open() {
    setIsOpening(true);
    try {
      // Gets the view before the tab opens, because the dialog for a proof of identity would be hidden behind the tab.
      const { data: started } = await viewAsCustomer({ variables: { userId } });
      if (started) await showInTab(started.viewAsCustomer);
    } catch (error) {
      notify.failure(error, "Unable to view the portal as this customer.");
    } finally {
      setIsOpening(false);
    }
  }

  return (
    <Button
      ref={button}
      variant="default"
      loading={isOpening}
      leftSection={<IconEye size={18} stroke={1.8} aria-hidden="true" />}
      onClick={() => void open()}
    >
      View as customer
    </Button>
  );
}

async function showInTab(view: ViewTokens) {
  const key = generateHandoverKey();
  const offered = offerView(key, view);
  // The key only identifies the channel. `noopener` keeps the tab from accessing this page and its session storage.
  window.open(`${paths.viewAs.href()}#${key}`, "_blank", "noopener");
  if ((await offered) === "timed-out")
    notify.error("We couldn't open the new tab. Allow pop-ups for this site and try again.");
}
