import { Button } from "@mantine/core";
import { IconFileText } from "@tabler/icons-react";
import { useOpenDialog } from "#web/ui/dialogs.tsx";

/** A button that downloads a statement: the customer's own, or that of `userId` for staff. */
export function StatementButton({ userId }: { userId?: string }) {
  const openDialog = useOpenDialog();
  return (
    <Button
      variant="default"
      size="sm"
      leftSection={<IconFileText size={17} stroke={1.8} aria-hidden="true" />}
      onClick={() => openDialog(() => import("./statement-dialog.tsx"), { userId })}
    >
      Download statement
    </Button>
  );
}
