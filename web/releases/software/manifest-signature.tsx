import { Button, Code, Stack, Text, Textarea } from "@mantine/core";
import { copyText } from "#web/ui/copy-button.tsx";

/** The manifest of a build to sign where the release keys are kept, and the field for the signature. */
export function ManifestSignature(props: {
  manifest: string;
  signature: string;
  onChange: (signature: string) => void;
}) {
  const { manifest, signature, onChange } = props;
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
        onChange={(event) => onChange(event.currentTarget.value)}
        rows={3}
        autoComplete="off"
        spellCheck={false}
      />
    </Stack>
  );
}
