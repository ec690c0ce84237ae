import { Suspense, useState } from "react";
import { useSession } from "#web/platform/session.ts";
import { useTwoStepOfUserQuery } from "#web/generated/graphql.ts";
import { Button } from "#web/ui/button.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";

/** Brings the form machinery along, so it comes when it is asked for. */
const ClearTwoStepDialog = lazyPart(
  async () => ({ default: (await import("./clear-two-step-dialog.tsx")).ClearTwoStepDialog }),
  "notification",
);

/**
 * Turns two-step sign-in off for a user who lost everything, after a dialog (decision 0035). Nothing while it is off, and
 * nothing for the admin's own account, for which another admin has to do it.
 */
export function ClearTwoStepButton({ userId }: { userId: string }) {
  const ownId = useSession()?.claims.id;
  const { data, refetch } = useTwoStepOfUserQuery({ variables: { id: userId } });
  const [opened, setOpened] = useState(false);
  const [asked, setAsked] = useState(false);
  const isOn = data !== undefined && data.user.twoStepSince !== null && userId !== ownId;

  function ask() {
    setAsked(true);
    setOpened(true);
  }

  return (
    <>
      {isOn && (
        <Button color="red" variant="light" onClick={ask}>
          Clear Two-Step Sign-In
        </Button>
      )}
      {asked && data && (
        <Suspense fallback={null}>
          <ClearTwoStepDialog
            user={data.user}
            opened={opened}
            onClose={(isDone) => {
              setOpened(false);
              if (isDone) void refetch().catch(() => undefined);
            }}
          />
        </Suspense>
      )}
    </>
  );
}
