import { IconEye } from "@tabler/icons-react";
import { useState } from "react";
import { MemberType } from "#schema/catalogue.ts";
import { paths } from "#web/platform/paths.ts";
import { useViewableUserQuery, useViewAsCustomerMutation } from "#web/generated/graphql.ts";
import { Button } from "#web/ui/button.tsx";
import { notify } from "#web/platform/notifications.ts";
import { messageOf } from "#web/platform/server-error.ts";
import { newHandoverKey, offerView } from "./view-handover.ts";

/**
 * Opens the portal as this customer sees it, in a tab of its own (decision 0035). Nothing for admins and archived
 * accounts, who cannot be viewed as.
 */
export function ViewAsButton({ userId }: { userId: string }) {
  const { data } = useViewableUserQuery({ variables: { id: userId } });
  const [viewAsCustomer] = useViewAsCustomerMutation();
  const [opening, setOpening] = useState(false);
  if (!data || !data.user.isActive || data.user.memberType === MemberType.Admin) return null;

  async function open() {
    const key = newHandoverKey();
    setOpening(true);
    const offered = offerView(key, () =>
      viewAsCustomer({ variables: { userId } })
        .then((answer) => answer.data?.viewAsCustomer ?? { refused: fallback })
        .catch((error: unknown) => ({ refused: messageOf(error, fallback) })),
    );
    // The key only finds the channel. The tab gets no hold on this page, and starts without its storage.
    window.open(`${paths.viewAs.href()}#${key}`, "_blank", "noopener");
    const how = await offered;
    setOpening(false);
    if (how === "never-came") notify.error("The new tab could not be opened. Please allow pop-ups for this site.");
  }

  return (
    <Button
      variant="default"
      loading={opening}
      leftSection={<IconEye size={18} stroke={1.8} aria-hidden="true" />}
      onClick={() => void open()}
    >
      View As Customer
    </Button>
  );
}

const fallback = "Unable to view the portal as this customer.";
