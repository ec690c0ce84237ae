import type { UserHeaderFieldsFragment } from "#web/generated/graphql.ts";
import { useRequestedAction } from "#web/platform/use-requested-action.ts";
import { Button } from "#web/ui/button.tsx";
import { useOpenDialog } from "#web/ui/dialogs.tsx";

/** Button that merges another account of a customer into this one. Hidden for admins and closed accounts. */
export function MergeButton({ user }: { user: UserHeaderFieldsFragment }) {
  const openDialog = useOpenDialog();
  const canMerge = user.isActive && user.memberType !== "ADMIN";
  const open = () => openDialog(() => import("./merge-dialog.tsx"), { user });
  useRequestedAction({ merge: () => canMerge && open() });
  if (!canMerge) return null;
  return (
    <Button variant="default" onClick={open}>
      Merge
    </Button>
  );
}
