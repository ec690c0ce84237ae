import { Button } from "@mantine/core";
import { useState } from "react";
import type { UserHeaderFieldsFragment } from "#web/generated/graphql.ts";
import { useSession } from "#web/platform/session.ts";
import { useRequestedAction } from "#web/platform/use-requested-action.ts";
import { ArchiveUserDialog, RestoreUserDialog } from "./archive-user-dialog.tsx";

/** Button that archives a user, which the screens call deleting, or restores them. Hidden for the admin's own account. */
export function ArchiveButton({ user }: { user: UserHeaderFieldsFragment }) {
  const [isArchiving, setArchiving] = useState(false);
  const [isRestoring, setRestoring] = useState(false);
  const isOwn = useSession()?.claims.id === user.id;
  const canArchive = user.isActive && !isOwn;
  useRequestedAction({
    archive: () => setArchiving(canArchive),
    restore: () => setRestoring(!user.isActive),
  });
  return (
    <>
      {canArchive && (
        <Button variant="light" color="red" onClick={() => setArchiving(true)}>
          Delete
        </Button>
      )}
      {!user.isActive && (
        <Button variant="default" onClick={() => setRestoring(true)}>
          Restore
        </Button>
      )}
      <ArchiveUserDialog user={isArchiving ? user : null} onClose={() => setArchiving(false)} />
      <RestoreUserDialog user={isRestoring ? user : null} onClose={() => setRestoring(false)} />
    </>
  );
}
