import type { ReactNode } from "react";
import {
  type SoftwareChannelFieldsFragment,
  useDeleteSoftwareDraftMutation,
  usePublishSoftwareMutation,
  useRollBackSoftwareMutation,
  useWithdrawSoftwareMutation,
} from "#web/generated/graphql.ts";
import { wordsOfVersionSource } from "#schema/software-upload.ts";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import { notify } from "#web/platform/notifications.ts";
import { useLast } from "#web/ui/use-last.ts";

/** What is about to be done with a build. */
export interface Question {
  readonly kind: "publish" | "roll-back" | "withdraw" | "delete";
  readonly build: {
    readonly id: string;
    readonly version: string;
    readonly versionSource: string | null;
    readonly stageLabel: string;
  };
  /** What its stage offers now, and would fall back to. */
  readonly channel: Pick<SoftwareChannelFieldsFragment, "stage" | "offered" | "previous"> | undefined;
}

interface Words {
  title: string;
  question: ReactNode;
  done: string;
  fallback: string;
  danger?: boolean;
}

/** Says what publishing, rolling back, withdrawing or deleting will do, and does it; null while the dialog is closed. */
export function BuildQuestion(props: { question: Question | null; onClose: () => void; onSettled: () => void }) {
  const { onClose, onSettled } = props;
  const question = useLast(props.question);
  const [publish] = usePublishSoftwareMutation();
  const [rollBack] = useRollBackSoftwareMutation();
  const [withdraw] = useWithdrawSoftwareMutation();
  const [deleteDraft] = useDeleteSoftwareDraftMutation();
  if (!question) return null;
  const { kind, build, channel } = question;
  const words = wordsOf(question);

  async function confirm() {
    notify.clearErrors();
    const buildId = build.id;
    try {
      if (kind === "publish") await publish({ variables: { buildId } });
      else if (kind === "withdraw") await withdraw({ variables: { buildId } });
      else if (kind === "delete") await deleteDraft({ variables: { buildId } });
      else if (channel) await rollBack({ variables: { stage: channel.stage, offeredBuildId: buildId } });
      notify.success(words.done);
    } catch (error) {
      notify.failure(error, words.fallback);
    }
    onClose();
    // Also after a refusal: somebody else may have been first.
    onSettled();
  }

  return (
    <ConfirmDialog
      opened={props.question !== null}
      title={words.title}
      danger={words.danger ?? false}
      onConfirm={confirm}
      onCancel={onClose}
    >
      {words.question}
    </ConfirmDialog>
  );
}

function wordsOf({ kind, build: { id, version, versionSource, stageLabel }, channel }: Question): Words {
  const source = wordsOfVersionSource(versionSource);
  const offered = channel?.offered ?? null;
  const previous = channel?.previous?.version;
  const insteadOf = offered && offered.id !== id ? ` instead of ${offered.version}` : "";
  switch (kind) {
    case "publish":
      return {
        title: `Publish ${version}?`,
        question: `${source ? `The version ${version} was ${source}. ` : ""}From now on ${stageLabel} offers ${version}${insteadOf}. Add-ins hear of it when they next look for updates, and whoever downloads gets it.`,
        done: `${stageLabel} now offers ${version}.`,
        fallback: "Unable to publish the software.",
      };
    case "roll-back":
      return {
        title: `Roll Back ${stageLabel}?`,
        question: `${stageLabel} offers ${previous} again instead of ${version}. Nobody else is given ${version}; whoever has it keeps it. You can offer it again at any time.`,
        done: `${stageLabel} now offers ${previous}.`,
        fallback: "Unable to roll back the software.",
        danger: true,
      };
    case "withdraw":
      return {
        title: `Withdraw ${version}?`,
        question: `Nobody can download ${version} for ${stageLabel} any more, and this can't be undone. ${afterWithdrawal(id, stageLabel, offered?.id, previous)} Whoever has it installed keeps it.`,
        done: `${version} has been withdrawn.`,
        fallback: "Unable to withdraw the software.",
        danger: true,
      };
    case "delete":
      return {
        title: `Delete Draft ${version}?`,
        question: `The build ${version} for ${stageLabel} and its files are removed for good. It was never published, so nobody has it.`,
        done: `The draft ${version} has been deleted.`,
        fallback: "Unable to delete the draft.",
        danger: true,
      };
  }
}

function afterWithdrawal(id: string, stageLabel: string, offeredId: string | undefined, previous: string | undefined) {
  if (offeredId !== id) return `What ${stageLabel} offers stays as it is.`;
  return previous ? `${stageLabel} then offers ${previous}.` : `${stageLabel} then offers nothing.`;
}
