import { Stack } from "@mantine/core";
import { useReissueLicenceCodeMutation } from "#web/generated/graphql.ts";
import { refreshUserSummary } from "#web/people/refresh-user-summary.ts";
import { confirmAction } from "#web/ui/dialogs.tsx";

/** Returns a function that gives a licence of a customer a new code, after a confirmation. */
export function useReissueCode(): (licence: { userId: string; licenceId: string }, onDone?: () => void) => void {
  const [reissue, { client }] = useReissueLicenceCodeMutation();
  return (variables, onDone) =>
    confirmAction({
      title: "Re-issue the code",
      confirmLabel: "Re-issue code",
      danger: true,
      text: (
        <Stack gap="sm">
          <p>
            The licence gets a new code, which a customer with a confirmed address receives by email. The old code stops
            working at once. The devices stay activated and work again when someone enters the new code or signs in
            there.
          </p>
          <p>Afterwards, deactivate devices that the customer doesn&rsquo;t know.</p>
        </Stack>
      ),
      failure: "Unable to re-issue the code.",
      run: async () => {
        await reissue({ variables });
        refreshUserSummary(client);
        onDone?.();
      },
      success: "The licence has a new code.",
    });
}
