import { IconHistory, IconPencil, IconRefresh } from "@tabler/icons-react";
import { paths } from "#web/platform/paths.ts";

/** Returns a row's actions: retry a payment, edit the user and, for a licence, open its history. */
export function getRowActions(
  { user, licenceId }: { user: { id: string }; licenceId: string | null },
  onRetryPayment?: () => void,
) {
  return [
    ...(onRetryPayment ? [{ label: "Retry Payment", icon: IconRefresh, onSelect: onRetryPayment }] : []),
    { label: "Edit user", icon: IconPencil, to: paths.updateUser.href({ id: user.id }) },
    ...(licenceId
      ? [
          {
            label: "View licence history",
            icon: IconHistory,
            to: paths.licenceHistory.href({ licenceId }),
          },
        ]
      : []),
  ];
}
