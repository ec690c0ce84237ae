import { Button } from "@mantine/core";
import type { UserHeaderFieldsFragment } from "#web/generated/graphql.ts";
import { useSession } from "#web/platform/session.ts";
import { useRequestedAction } from "#web/platform/use-requested-action.ts";
import { useArchiveUser } from "./use-archive-user.tsx";

/** Button that archives a user, which the screens call deleting, or restores them. Hidden for the admin's own account. */
export function ArchiveButton({ user }: { user: UserHeaderFieldsFragment }) {
  const { archive, restore } = useArchiveUser();
  const isOwn = useSession()?.claims.id === user.id;
  const canArchive = user.isActive && !isOwn;
  useRequestedAction({
    archive: () => canArchive && archive(user),
    restore: () => !user.isActive && restore(user),
  });
  if (!user.isActive)
    return (
      <Button variant="default" onClick={() => restore(user)}>
        Restore
      </Button>
    );
  return (
    canArchive && (
      <Button variant="light" color="red" onClick={() => archive(user)}>
        Delete
      </Button>
    )
  );
}
