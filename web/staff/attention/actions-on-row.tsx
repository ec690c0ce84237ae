import { IconHistory, IconPencil } from "@tabler/icons-react";
import { paths } from "#web/platform/paths.ts";

const icon = { size: 17, stroke: 1.8, "aria-hidden": true } as const;

/** Where a row about something of a user leads: to the user, and to the licence's history where it is about one. */
export function actionsOnRow({ user, licenceId }: { user: { id: string }; licenceId: string | null }) {
  return [
    { label: "Edit User", icon: <IconPencil {...icon} />, to: paths.updateUser.href({ id: user.id }) },
    ...(licenceId
      ? [
          {
            label: "View Licence History",
            icon: <IconHistory {...icon} />,
            to: paths.licenceHistory.href({ licenceId }),
          },
        ]
      : []),
  ];
}
