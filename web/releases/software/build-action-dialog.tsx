import { type ReactNode, useState } from "react";
import {
  type SoftwareChannelFieldsFragment,
  useDeleteSoftwareDraftMutation,
  usePromoteSoftwareMutation,
  usePublishSoftwareMutation,
  useRequestSoftwarePublishingMutation,
  useRollBackSoftwareMutation,
  useWithdrawSoftwareMutation,
  type SoftwareStage,
} from "#web/generated/graphql.ts";
import { getNextStage } from "#schema/software.ts";
import { describeVersionSource, formatBuildVersion } from "#schema/software-upload.ts";
import { ConfirmDialog, type DialogControl } from "#web/ui/confirm-dialog.tsx";
import { notify } from "#web/platform/notifications.ts";
import { getFieldErrors } from "#web/platform/server-error.ts";
import { Button, Code, Stack, Text, Textarea } from "@mantine/core";
import { copyText } from "#web/ui/copy-button.tsx";

/** An action on a build that needs confirmation. */
export interface BuildAction {
  readonly kind: "publish" | "request" | "promote" | "roll-back" | "withdraw" | "delete";
  readonly build: {
    readonly id: string;
    readonly stage: SoftwareStage;
    readonly version: string;
    readonly versionSource: string | null;
    readonly stageLabel: string;
    readonly manifestToSign?: string | null;
  };
  /** The offered and previous builds of the stage. */
  readonly channel: Pick<SoftwareChannelFieldsFragment, "stage" | "offered" | "previous"> | undefined;
}

const verbs: Readonly<Record<BuildAction["kind"], string>> = {
  publish: "Publish",
  request: "Request",
  promote: "Promote",
  "roll-back": "Roll back",
  withdraw: "Withdraw",
  delete: "Delete",
};

interface DialogTexts {
  title: string;
  question: ReactNode;
  done: string;
  fallback: string;
  danger?: boolean;
  /** Label of the button, if it isn't the verb of the action. */
  verb?: string;
}

/** Confirms and runs publishing, requesting it, rolling back, promoting, withdrawing or deleting. */
export default function BuildActionDialog(props: DialogControl & { question: BuildAction; onSettled: () => void }) {
  const { question, opened, onClose, onSettled } = props;
  const [publish] = usePublishSoftwareMutation();
  const [request] = useRequestSoftwarePublishingMutation();
  const [signature, setSignature] = useState("");
  const [signatureError, setSignatureError] = useState<string | null>(null);
  const [promote] = usePromoteSoftwareMutation();
  const [rollBack] = useRollBackSoftwareMutation();
  const [withdraw] = useWithdrawSoftwareMutation();
  const [deleteDraft] = useDeleteSoftwareDraftMutation();
  const { kind, build, channel } = question;
  const texts = describeAction(question);
  const manifest =
    kind === "publish" ? build.manifestToSign : kind === "roll-back" ? channel?.previous?.manifestToSign : null;
  const signedManifest = manifest ? signature : null;

  async function confirm() {
    notify.clearErrors();
    const buildId = build.id;
    try {
      if (kind === "publish") await publish({ variables: { buildId, signedManifest } });
      else if (kind === "request") await request({ variables: { buildId } });
      else if (kind === "promote")
        await promote({ variables: { buildId, stage: getNextStage(build.stage)?.code ?? build.stage } });
      else if (kind === "withdraw") await withdraw({ variables: { buildId } });
      else if (kind === "delete") await deleteDraft({ variables: { buildId } });
      else if (channel)
        await rollBack({ variables: { stage: channel.stage, offeredBuildId: buildId, signedManifest } });
      notify.success(texts.done);
    } catch (error) {
      const wrong = getFieldErrors(error).signedManifest?.[0];
      if (wrong) {
        // What was pasted stays to be corrected.
        setSignatureError(wrong);
        return notify.error(wrong);
      }
      notify.failure(error, texts.fallback);
      // What was pasted stays to be sent again.
      if (signedManifest) return onSettled();
    }
    onClose();
    // Reload after errors, too: another admin may have changed the build.
    onSettled();
  }

  return (
    <ConfirmDialog
      opened={opened}
      title={texts.title}
      danger={texts.danger ?? false}
      confirmLabel={texts.verb ?? verbs[kind]}
      onConfirm={confirm}
      onCancel={onClose}
    >
      {texts.question}
      {manifest && (
        <ManifestSignature
          manifest={manifest}
          signature={signature}
          error={signatureError}
          onChange={(typed) => {
            setSignature(typed);
            setSignatureError(null);
          }}
        />
      )}
    </ConfirmDialog>
  );
}

function describeAction(props: BuildAction): DialogTexts {
  const {
    kind,
    build: { id, stage, version: stated, versionSource, stageLabel },
    channel,
  } = props;
  const source = describeVersionSource(versionSource);
  const version = formatBuildVersion(stated);
  const next = getNextStage(stage)?.label ?? "";
  const offered = channel?.offered ?? null;
  const previous = channel?.previous?.version;
  const insteadOf = offered && offered.id !== id ? ` instead of ${offered.version}` : "";
  switch (kind) {
    case "publish":
      if (offered?.id === id)
        return {
          title: `Sign ${version} again?`,
          question: `${stageLabel} goes on offering ${version}. Add-ins that check for updates get the new signature.`,
          done: `${version} has the new signature.`,
          fallback: "Unable to replace the signature.",
          verb: "Sign again",
        };
      return {
        title: `Publish ${version}?`,
        question: `${source ? `Version ${version} was ${source}. ` : ""}${stageLabel} will offer ${version}${insteadOf} for download and to add-ins that check for updates.`,
        done: `${stageLabel} now offers ${version}.`,
        fallback: "Unable to publish the software.",
      };
    case "request":
      return {
        title: `Request publishing ${version}?`,
        question: `Publishing takes two admins. Another admin can then publish ${version} for ${stageLabel} on this page.`,
        done: `Publishing ${version} has been requested.`,
        fallback: "Unable to request publishing.",
      };
    case "promote":
      return {
        title: `Promote ${version} to ${next}?`,
        question: `The build and its files will be copied from ${stageLabel} to ${next} as a draft. ${next} offers it after you publish the draft.`,
        done: `${version} has been copied to ${next}. Publish the draft when it is ready.`,
        fallback: "Unable to promote the software.",
      };
    case "roll-back":
      return {
        title: `Roll back ${stageLabel}?`,
        question: `${stageLabel} will offer ${previous} again instead of ${version}. Add-ins that already have ${version} keep it. You can offer it again at any time.`,
        done: `${stageLabel} now offers ${previous}.`,
        fallback: "Unable to roll back the software.",
        danger: true,
      };
    case "withdraw":
      return {
        title: `Withdraw ${version}?`,
        question: `${version} for ${stageLabel} will no longer be available for download. This can't be undone. ${describeNextOffer(id, stageLabel, offered?.id, previous)} Add-ins that already have ${version} keep it.`,
        done: `${version} has been withdrawn.`,
        fallback: "Unable to withdraw the software.",
        danger: true,
      };
    case "delete":
      return {
        title: `Delete draft ${version}?`,
        question: `The build ${version} for ${stageLabel} and its files will be permanently deleted. It was never published.`,
        done: `The draft ${version} has been deleted.`,
        fallback: "Unable to delete the draft.",
        danger: true,
      };
  }
}

function describeNextOffer(
  id: string,
  stageLabel: string,
  offeredId: string | undefined,
  previous: string | undefined,
) {
  if (offeredId !== id) return `The build that ${stageLabel} offers stays the same.`;
  return previous ? `${stageLabel} will then offer ${previous}.` : `${stageLabel} will then offer no build.`;
}

/** The manifest of a build to sign where the release keys are kept, and the field for the signature. */
function ManifestSignature(props: {
  manifest: string;
  signature: string;
  error: string | null;
  onChange: (signature: string) => void;
}) {
  const { manifest, signature, error, onChange } = props;
  return (
    <Stack gap="xs" mt="md">
      <Text size="sm">
        The release keys are offline. Save this manifest, run <Code>keys sign FILE --ring release</Code> where they are
        kept, and paste the result.
      </Text>
      <Code block style={{ overflowWrap: "anywhere", whiteSpace: "pre-wrap" }}>
        {manifest}
      </Code>
      <Button
        variant="default"
        size="xs"
        style={{ alignSelf: "flex-start" }}
        onClick={() => void copyText(manifest, "The manifest has been copied to clipboard.")}
      >
        Copy manifest
      </Button>
      <Textarea
        label="Signed manifest"
        value={signature}
        error={error}
        onChange={(event) => onChange(event.currentTarget.value)}
        rows={3}
        autoComplete="off"
        spellCheck={false}
      />
    </Stack>
  );
}
