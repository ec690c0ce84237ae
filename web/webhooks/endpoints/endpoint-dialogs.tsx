import { useNavigate } from "react-router-dom";
import { paths } from "#web/platform/paths.ts";
import { lazyDialog } from "#web/ui/lazy-part.tsx";
import { ReplaySinceDialog } from "./replay-since-dialog.tsx";
import { SecretDialog } from "./secret-dialog.tsx";
import type { ShownEndpoint } from "./webhook-labels.ts";

/** The open dialog about an endpoint. */
export type EndpointDialogState =
  | { kind: "add" }
  | { kind: "edit" | "replay"; endpoint: ShownEndpoint }
  | { kind: "secret"; endpoint: ShownEndpoint; secret: string; isNew: boolean };

const EndpointDialog = lazyDialog(
  () => import("./endpoint-dialog.tsx").then((file) => file.EndpointDialog),
  ({ edited }) => edited !== null,
);

/** The dialogs about endpoints that have fields or a secret. Only one is open at a time. */
export function EndpointDialogs(props: {
  dialog: EndpointDialogState | null;
  onOpenDialog: (dialog: EndpointDialogState | null) => void;
  /** Called after a change, or after an attempt that may have changed something. */
  onSettled: () => void;
}) {
  const { dialog, onOpenDialog, onSettled } = props;
  const navigate = useNavigate();
  const close = () => onOpenDialog(null);
  const getEndpointFor = (kind: EndpointDialogState["kind"]) =>
    dialog?.kind === kind && "endpoint" in dialog ? dialog.endpoint : null;
  const showSecret = (endpoint: ShownEndpoint, secret: string) => {
    onOpenDialog({ kind: "secret", endpoint, secret, isNew: true });
    onSettled();
  };

  function closeSecret() {
    close();
    // The next step is a test event, which is sent on the endpoint's page.
    if (dialog?.kind === "secret" && dialog.isNew)
      void navigate(paths.webhookEndpoint.href({ endpointId: dialog.endpoint.id }));
  }

  return (
    <>
      <EndpointDialog
        edited={dialog?.kind === "add" || dialog?.kind === "edit" ? { endpoint: getEndpointFor("edit") } : null}
        onClose={close}
        onAdded={showSecret}
        onChanged={onSettled}
      />
      <SecretDialog made={dialog?.kind === "secret" ? dialog : null} onClose={closeSecret} />
      <ReplaySinceDialog endpoint={getEndpointFor("replay")} onClose={close} onSettled={onSettled} />
    </>
  );
}
