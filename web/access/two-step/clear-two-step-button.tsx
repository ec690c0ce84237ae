import { Button } from "@mantine/core";
import { Suspense, useState } from "react";
import { useStaffRole } from "#web/platform/staff-role.tsx";
import { useSession } from "#web/platform/session.ts";
import { useTwoStepOfUserQuery } from "#web/generated/graphql.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";

/** Loaded on demand, because it needs the form code. */
const ClearTwoStepDialog = lazyPart(
  async () => ({ default: (await import("./clear-two-step-dialog.tsx")).ClearTwoStepDialog }),
  "notification",
);

/**
 * Button with a dialog that turns two-step sign-in off for a user who has lost access to every method (decision 0035).
 * Hidden while two-step sign-in is off, and for the admin's own account, which another admin has to clear.
 */
export function ClearTwoStepButton({ userId }: { userId: string }) {
  const ownId = useSession()?.claims.id;
  const { data, refetch } = useTwoStepOfUserQuery({ variables: { id: userId } });
  const canClear = useStaffRole("support");
  const [isOpened, setIsOpened] = useState(false);
  const [hasOpened, setHasOpened] = useState(false);
  const isOn = data !== undefined && data.user.twoStepSince !== null && userId !== ownId && canClear;

  function openDialog() {
    setHasOpened(true);
    setIsOpened(true);
  }

  return (
    <>
      {isOn && (
        <Button color="red" variant="light" onClick={openDialog}>
          Clear two-step sign-in
        </Button>
      )}
      {hasOpened && data && (
        <Suspense fallback={null}>
          <ClearTwoStepDialog
            user={data.user}
            opened={isOpened}
            onClose={(isDone) => {
              setIsOpened(false);
              if (isDone) void refetch().catch(() => undefined);
            }}
          />
        </Suspense>
      )}
    </>
  );
}
