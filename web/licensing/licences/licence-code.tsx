import { Box, Paper } from "@mantine/core";
import { IconCopy, IconEye } from "@tabler/icons-react";
import { copyText } from "#web/ui/copy-button.tsx";
import type { RowAction } from "#web/ui/table/row-actions-menu.tsx";

/** Returns the first actions of every licence list: view and copy the licence code. */
export function licenceCodeActions(licenceCode: string, onView: () => void): RowAction[] {
  return [
    { label: "View licence code", icon: IconEye, onSelect: onView },
    {
      label: "Copy Licence Code",
      icon: IconCopy,
      onSelect: () => void copyText(licenceCode, LICENCE_CODE_COPIED),
    },
  ];
}

/** Toast shown after copying a licence code. */
export const LICENCE_CODE_COPIED = "Licence code has been copied to clipboard.";

/** A licence code in readable groups. On narrow screens it wraps after half of the groups. */
export function LicenceCode({ code }: { code: string }) {
  const groups = code.split("-");
  const half = Math.ceil(groups.length / 2);
  const [first, second] = [groups.slice(0, half).join("-"), groups.slice(half).join("-")];
  return (
    <Paper
      component="code"
      display="block"
      px="md"
      py="sm"
      bg="var(--xp-sunken)"
      bd="1px dashed var(--xp-line-strong)"
      ff="monospace"
      c="bright"
      fw={600}
      ta="center"
      style={{ overflowWrap: "anywhere", userSelect: "all" }}
    >
      <Box component="span" display="inline-block">
        {second ? `${first}-` : first}
      </Box>
      {second && (
        <Box component="span" display="inline-block">
          {second}
        </Box>
      )}
    </Paper>
  );
}
