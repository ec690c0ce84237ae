import { Button } from "@mantine/core";
import { IconFileText } from "@tabler/icons-react";
import { useState } from "react";
import { lazyDialog } from "#web/ui/lazy-part.tsx";

const StatementDialog = lazyDialog(
  () => import("./statement-dialog.tsx").then((file) => file.StatementDialog),
  ({ opened }) => opened,
);

/** A button that downloads a statement: the customer's own, or that of `userId` for staff. */
export function StatementButton({ userId }: { userId?: string }) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button
        variant="default"
        size="sm"
        leftSection={<IconFileText size={17} stroke={1.8} aria-hidden="true" />}
        onClick={() => setOpened(true)}
      >
        Download statement
      </Button>
      <StatementDialog opened={opened} userId={userId} onClose={() => setOpened(false)} />
    </>
  );
}
