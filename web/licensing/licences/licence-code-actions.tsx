import { IconCopy, IconEye } from "@tabler/icons-react";
import { copyText } from "#web/ui/copy-button.tsx";
import type { RowAction } from "#web/ui/table/row-actions-menu.tsx";
import { LICENCE_CODE_COPIED } from "./licence-code.tsx";

/** The look of pictures in a menu. */
export const menuIcon = { size: 17, stroke: 1.8, "aria-hidden": true } as const;

/** What every list of licences offers first: its code, to see and to copy. */
export function licenceCodeActions(licenceCode: string, onView: () => void): RowAction[] {
  return [
    { label: "View Licence Code", icon: <IconEye {...menuIcon} />, onSelect: onView },
    {
      label: "Copy Licence Code",
      icon: <IconCopy {...menuIcon} />,
      onSelect: () => void copyText(licenceCode, LICENCE_CODE_COPIED),
    },
  ];
}
