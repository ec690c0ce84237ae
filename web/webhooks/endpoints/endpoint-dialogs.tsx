import { useNavigate } from "react-router-dom";
import { paths } from "#web/platform/paths.ts";
import { lazyDialog } from "#web/ui/lazy-dialog.tsx";
import { DeleteEndpointDialog, RollSecretDialog, TurnOffDialog } from "./endpoint-questions.tsx";
import { SecretDialog } from "./secret-dialog.tsx";
import type { ShownEndpoint } from "./webhook-words.ts";

/** What is asked of an endpoint, or told of it, in a dialog. */
export type AskedOfEndpoint =
  | { kind: "add" }
  | { kind: "edit" | "delete" | "roll" | "turn-off"; endpoint: ShownEndpoint }
  | { kind: "secret"; endpoint: ShownEndpoint; secret: string; isNew: boolean };

const EndpointDialog = lazyDialog(
  () => import("./endpoint-dialog.tsx").then((file) => file.EndpointDialog),
  ({ edited }) => edited !== null,
);

/** Every dialog about an endpoint; one is open at a time, and a new secret follows on what made it. */
export function EndpointDialogs(props: {
  asked: AskedOfEndpoint | null;
  onAsk: (asked: AskedOfEndpoint | null) => void;
  /** Something was changed, or may have been. */
  onSettled: () => void;
  /** Where an endpoint was deleted; by default {@link onSettled} is told. */
  onDeleted?: () => void;
}) {
  const { asked, onAsk, onSettled, onDeleted = onSettled } = props;
  const navigate = useNavigate();
  const close = () => onAsk(null);
  const askedIf = (kind: AskedOfEndpoint["kind"]) =>
    asked?.kind === kind && "endpoint" in asked ? asked.endpoint : null;
  const showSecret = (isNew: boolean) => (endpoint: ShownEndpoint, secret: string) => {
    onAsk({ kind: "secret", endpoint, secret, isNew });
    onSettled();
  };

  function closeSecret() {
    close();
    // The page of a new endpoint has the test that comes next.
    if (asked?.kind === "secret" && asked.isNew)
      void navigate(paths.webhookEndpoint.href({ endpointId: asked.endpoint.id }));
  }

  return (
    <>
      <EndpointDialog
        edited={asked?.kind === "add" || asked?.kind === "edit" ? { endpoint: askedIf("edit") } : null}
        onClose={close}
        onAdded={showSecret(true)}
        onChanged={onSettled}
      />
      <SecretDialog made={asked?.kind === "secret" ? asked : null} onClose={closeSecret} />
      <RollSecretDialog endpoint={askedIf("roll")} onClose={close} onRolled={showSecret(false)} />
      <TurnOffDialog endpoint={askedIf("turn-off")} onClose={close} onSettled={onSettled} />
      <DeleteEndpointDialog endpoint={askedIf("delete")} onClose={close} onSettled={onSettled} onDeleted={onDeleted} />
    </>
  );
}
