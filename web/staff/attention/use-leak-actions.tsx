import { IconBan, IconCheck, IconKey, IconMail } from "@tabler/icons-react";
import { ACCEPTED_DAYS } from "#schema/leaks.ts";
import { useAcceptLicenceUseMutation, useAskAboutLicenceUseMutation } from "#web/generated/graphql.ts";
import { useReissueCode } from "#web/licensing/licences/use-reissue-code.tsx";
import { paths } from "#web/platform/paths.ts";
import { confirmAction } from "#web/ui/dialogs.tsx";
import type { RowAction } from "#web/ui/table/row-actions-menu.tsx";

/** Returns what support can do about a licence whose code strangers seem to use. `onDone` reads the list again. */
export function useLeakActions(
  onDone: () => void,
): (row: { user: { id: string }; licenceId: string | null }) => RowAction[] {
  const [ask] = useAskAboutLicenceUseMutation();
  const [accept] = useAcceptLicenceUseMutation();
  const reissueCode = useReissueCode();
  return ({ user, licenceId }) => {
    if (licenceId === null) return [];
    const licence = { userId: user.id, licenceId };
    const run = (action: (options: { variables: typeof licence }) => Promise<unknown>) => async () => {
      await action({ variables: licence });
      onDone();
    };
    return [
      {
        label: "Ask the customer",
        icon: IconMail,
        onSelect: () =>
          confirmAction({
            title: "Ask the customer",
            confirmLabel: "Send email",
            text: "An email tells the customer how many networks and machines use the licence, and asks whether that is their team. Nothing else changes.",
            failure: "Unable to ask the customer.",
            run: run(ask),
            success: "The customer has been asked.",
          }),
      },
      {
        label: "Accept the use",
        icon: IconCheck,
        onSelect: () =>
          confirmAction({
            title: "Accept the use",
            confirmLabel: "Accept",
            text: `For a customer who has explained the use. The licence leaves the list, and its use isn't measured for ${ACCEPTED_DAYS} days.`,
            failure: "Unable to accept the use.",
            run: run(accept),
            success: "The licence has left the list.",
          }),
      },
      { label: "Re-issue Code", icon: IconKey, onSelect: () => reissueCode(licence, onDone) },
      {
        label: "Deactivate licence",
        icon: IconBan,
        danger: true,
        to: `${paths.updateUser.href({ id: user.id })}?action=deactivate&on=${licenceId}`,
      },
    ];
  };
}
