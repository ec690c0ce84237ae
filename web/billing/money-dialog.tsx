import { Alert, List, Skeleton, Stack, Text, Textarea, VisuallyHidden } from "@mantine/core";
import { type ReactNode, useRef, useState } from "react";
import type { ErrorReason } from "#schema/error-codes.ts";
import { staffReason } from "#schema/staff-money.ts";
import { formatError, getErrorCode, getErrorReason } from "#web/platform/server-error.ts";
import { BusyButton } from "#web/ui/busy-button.tsx";
import { Button } from "#web/ui/button.tsx";
import { AppDialog, ConfirmOnEnter, DialogActions, type DialogControl } from "#web/ui/confirm-dialog.tsx";
import { createRequestKey } from "./request-key.ts";

const reasonRule = staffReason();

const UNCONFIRMED = "We couldn't confirm that this was done. Try again: it won't be done twice.";

/** An answer to a {@link MoneyDialog}. */
export interface MoneyAnswer {
  readonly reason: string;
  /** The same for each try, so that the API runs it once. */
  readonly key: string;
}

interface MoneyDialogProps extends DialogControl {
  title: string;
  confirmLabel: string;
  /** Effects of the action, one sentence each; undefined while they load or while a field is invalid. */
  effects: readonly string[] | undefined;
  refusal?: string | undefined;
  /** Reads the page again after each try. One without an answer may have been done. */
  onTried?: () => void;
  /** Reads the effects again after the API refused the request, because something else has changed. */
  reload?: () => Promise<unknown>;
  /** False for an action that needs no reason. */
  asksReason?: boolean;
  /** Who reads the reason. */
  reasonHint?: string;
  danger?: boolean;
  children?: ReactNode;
  onConfirm: (answer: MoneyAnswer) => Promise<void>;
}

/**
 * Confirms a change to a customer's money: says what will happen, takes a reason, and sends it only once. Enter in a field of
 * one line presses its button.
 */
export function MoneyDialog(props: MoneyDialogProps) {
  const { title, confirmLabel, effects, refusal, asksReason = true, danger = false, children, opened, onClose } = props;
  const { reasonHint = "For the audit log. The customer doesn't see it.", onTried, reload } = props;
  // While the effects are calculated again, the last ones stay, so that the fields don't move while the user types.
  const [lastEffects, setLastEffects] = useState(effects);
  if (effects && effects !== lastEffects) setLastEffects(effects);
  const [reason, setReason] = useState("");
  const [reasonError, setReasonError] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [key, setKey] = useState(createRequestKey);
  const reasonField = useRef<HTMLTextAreaElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [isSending, setSending] = useState(false);

  async function confirm() {
    let words = "";
    try {
      if (asksReason) words = reasonRule.validateSync(reason);
    } catch (error) {
      setReasonError((error as Error).message);
      reasonField.current?.focus();
      return;
    }
    setFailure(null);
    setSending(true);
    try {
      await props.onConfirm({ reason: words, key });
      onClose();
    } catch (error) {
      setFailure(formatError(error, UNCONFIRMED));
      if (getErrorCode(error) !== "CONFLICT") return;
      // The API refused this request, so the next try is a new one. Without an answer, it must be the same. If a try was
      // done with other values, no try of this dialog may do anything else: staff look at it, and open the dialog again.
      if (getErrorReason(error) !== ("REQUEST_KEY_USED" satisfies ErrorReason)) setKey(createRequestKey());
      await reload?.().catch(() => undefined);
    } finally {
      onTried?.();
      setSending(false);
    }
  }

  return (
    <AppDialog opened={opened} title={title} onClose={onClose}>
      <ConfirmOnEnter onEnter={() => button.current?.click()}>
        <Stack gap="md">
          {children}
          {refusal !== undefined ? (
            <Alert color="marigold" variant="light" role="alert">
              {refusal}
            </Alert>
          ) : (
            // A live region before the effects, so that screen readers announce them and their changes.
            <div aria-live="polite">
              {lastEffects ? (
                <List spacing="xs" aria-label="Effects" size="sm" opacity={effects ? 1 : 0.65} aria-busy={!effects}>
                  {lastEffects.map((effect) => (
                    <List.Item key={effect}>{effect}</List.Item>
                  ))}
                </List>
              ) : (
                <Stack gap="md" py={5}>
                  <VisuallyHidden component="progress" aria-label="Calculating what will happen" />
                  <Skeleton height={12} width="90%" />
                  <Skeleton height={12} width="70%" />
                </Stack>
              )}
            </div>
          )}
          {asksReason && (
            <Textarea
              ref={reasonField}
              label="Reason"
              description={reasonHint}
              required
              rows={2}
              maxLength={500}
              value={reason}
              error={reasonError}
              onChange={(event) => {
                setReason(event.currentTarget.value);
                setReasonError(null);
              }}
            />
          )}
          {failure && (
            <Alert color="red" variant="light" role="alert">
              <Text size="sm">{failure}</Text>
            </Alert>
          )}
        </Stack>
        <DialogActions>
          <Button variant="default" onClick={onClose} disabled={isSending}>
            Close
          </Button>
          <BusyButton ref={button} color={danger ? "red" : undefined} disabled={!effects} onPress={confirm}>
            {confirmLabel}
          </BusyButton>
        </DialogActions>
      </ConfirmOnEnter>
    </AppDialog>
  );
}
