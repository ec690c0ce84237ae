import { IconHistory, IconPencil, IconRefresh } from "@tabler/icons-react";
import { paths } from "#web/platform/paths.ts";

const icon = { size: 17, stroke: 1.8, "aria-hidden": true } as const;

/** Returns a row's actions: retry a payment, edit the user and, for a licence, open its history. */
export function getRowActions(
  { user, licenceId }: { user: { id: string }; licenceId: string | null },
  onRetryPayment?: () => void,
) {
  return [
    ...(onRetryPayment ? [{ label: "Retry Payment", icon: <IconRefresh {...icon} />, onSelect: onRetryPayment }] : []),
    { label: "Edit user", icon: <IconPencil {...icon} />, to: paths.updateUser.href({ id: user.id }) },
    ...(licenceId
      ? [
          {
            label: "View licence history",
            icon: <IconHistory {...icon} />,
            to: paths.licenceHistory.href({ licenceId }),
          },
        ]
      : []),
  ];
}
