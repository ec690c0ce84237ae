import {
  type UserHeaderFieldsFragment,
  useArchiveUserMutation,
  useRestoreUserMutation,
} from "#web/generated/graphql.ts";
import { confirmAction } from "#web/ui/dialogs.tsx";

type ListedUser = Pick<UserHeaderFieldsFragment, "id" | "firstName" | "lastName" | "memberType">;

const CANCELLATION_PENDING =
  "The payment provider can't be reached right now. We'll cancel the subscription as soon as it's available.";

/** Returns functions that archive an account, which the screens call deleting, and restore it, each after a confirmation. */
export function useArchiveUser(onDone: () => void = () => undefined) {
  const [archive] = useArchiveUserMutation();
  const [restore] = useRestoreUserMutation();
  const getRestoring = (id: string) => ({
    run: () => restore({ variables: { id } }),
    success: "The user has been restored.",
    failure: "Unable to restore the user.",
  });
  return {
    archive: (user: ListedUser) =>
      confirmAction({
        title: "Delete user",
        confirmLabel: "Delete",
        danger: true,
        text: describe(
          "Delete",
          user,
          isCustomer(user)
            ? "They are signed out immediately, their licences are suspended, and their subscription is cancelled at the end of its period, or now if its last payment failed. The account is archived, not erased, so you can undo this now or restore it later. Their sign-ins, the links emailed to them, and the subscription don't come back."
            : "They are signed out immediately. The account is archived, not erased, so you can undo this now or restore it later. Their sign-ins and the links emailed to them don't come back.",
        ),
        run: () => archive({ variables: { id: user.id } }),
        success: ({ data }) =>
          `The user has been successfully deleted.${data?.archiveUser.cancellationPendingSince ? ` ${CANCELLATION_PENDING}` : ""}`,
        failure: "Unable to delete the user.",
        undo: getRestoring(user.id),
        onSettled: (isDone) => isDone && onDone(),
      }),
    restore: (user: ListedUser) =>
      confirmAction({
        title: "Restore user",
        confirmLabel: "Restore",
        text: describe(
          "Restore",
          user,
          isCustomer(user)
            ? "They can sign in again, and their suspended licences, personal access tokens and webhook endpoints work again. They can resume a cancelled subscription until its period ends."
            : "They can sign in again, and their personal access tokens and webhook endpoints work again.",
        ),
        ...getRestoring(user.id),
        onSettled: (isDone) => isDone && onDone(),
      }),
  };
}

const isCustomer = ({ memberType }: ListedUser) => memberType !== "ADMIN";

function describe(verb: string, { firstName, lastName }: ListedUser, effects: string) {
  return (
    <>
      <p>
        {verb}{" "}
        <strong>
          {firstName} {lastName}
        </strong>
        ?
      </p>
      <p>{effects}</p>
    </>
  );
}
