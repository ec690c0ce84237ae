import { Button } from "@mantine/core";
import { useStaffRole } from "#web/platform/staff-role.tsx";
import { useSession } from "#web/platform/session.ts";
import { useTwoStepOfUserQuery } from "#web/generated/graphql.ts";
import { useOpenDialog } from "#web/ui/dialogs.tsx";

/**
 * Button with a dialog that turns two-step sign-in off for a user who has lost access to every method (decision 0035).
 * Hidden while two-step sign-in is off, and for the admin's own account, which another admin has to clear.
 */
export function ClearTwoStepButton({ userId }: { userId: string }) {
  const ownId = useSession()?.claims.id;
  const { data, refetch } = useTwoStepOfUserQuery({ variables: { id: userId } });
  const canClear = useStaffRole("support");
  const openDialog = useOpenDialog();
  if (!data || data.user.twoStepSince === null || userId === ownId || !canClear) return null;
  const onDone = () => void refetch().catch(() => undefined);
  return (
    <Button
      color="red"
      variant="light"
      onClick={() => openDialog(() => import("./clear-two-step-dialog.tsx"), { user: data.user, onDone })}
    >
      Clear two-step sign-in
    </Button>
  );
}
