import { Alert, Box, Button, Group, Text } from "@mantine/core";
import type { ContestedFields } from "./contested.tsx";

/** Shows both values of each contested field, with buttons to choose one. */
export default function ContestedChoices(props: { names: readonly string[]; contested: ContestedFields }) {
  const { names, contested } = props;
  const shown = names.flatMap((name) => {
    const field = contested.fields[name];
    return field ? [[name, field] as const] : [];
  });
  return shown.map(([name, { label, theirs, mine, by }]) => (
    <Alert key={name} color="marigold" role="group" aria-label={`${label}: which value?`}>
      <b>{label}</b>
      <Group justify="space-between">
        <Box
          component="dl"
          m={0}
          display="grid"
          style={{ gridTemplateColumns: "auto minmax(0, 1fr)", columnGap: "1rem" }}
        >
          <Value who={by} value={theirs} />
          <Value who="You" value={mine} />
        </Box>
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            aria-label={`Take theirs for ${label}`}
            onClick={() => contested.settle(name, "theirs")}
          >
            Take theirs
          </Button>
          <Button
            size="xs"
            variant="default"
            aria-label={`Keep mine for ${label}`}
            onClick={() => contested.settle(name, "mine")}
          >
            Keep mine
          </Button>
        </Group>
      </Group>
    </Alert>
  ));
}

function Value({ who, value }: { who: string; value: string }) {
  return (
    <>
      <Text component="dt" inherit fw={600}>
        {who}
      </Text>
      <Text component="dd" inherit m={0} data-break="anywhere">
        {value || "(empty)"}
      </Text>
    </>
  );
}
