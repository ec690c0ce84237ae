import { Anchor, Box, Button, SimpleGrid, Stack, Text } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { formatNumber } from "#schema/numbers.ts";
import { type BulkKind, bulkLimits } from "#schema/bulk-run.ts";
import { bulkColumns } from "#schema/bulk-columns.ts";
import { saveAsFile } from "#web/platform/save-as-file.ts";

/** Explains the columns of a file and offers a template to download. */
export function FileHelp({ kind }: { kind: BulkKind }) {
  const columns = bulkColumns[kind];

  function download() {
    const cell = (text: string) => (/^[=+\-@]/.test(text) ? `'${text}` : text);
    const line = (cells: readonly string[]) => cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(",");
    const lines = [line(columns.map(({ label }) => label)), line(columns.map(({ example }) => cell(example)))];
    saveAsFile(`${kind}.csv`, `\ufeff${lines.join("\r\n")}\r\n`, "text/csv");
  }

  return (
    <Stack gap="sm" align="flex-start" mt="md" fz="sm" c="dimmed">
      <p>
        CSV file with commas, semicolons or tabs, up to {formatNumber(bulkLimits.rows)} rows and 25 MB. The first row
        must contain the column names, in any order.
      </p>
      <Button
        variant="default"
        size="sm"
        leftSection={<IconDownload size={16} stroke={1.8} aria-hidden="true" />}
        onClick={download}
      >
        Download template
      </Button>
      <Box component="details" w="100%">
        <Anchor component="summary" inherit fw={600} display="list-item" w="fit-content">
          Show columns
        </Anchor>
        <SimpleGrid component="dl" minColWidth="min(100%, 15rem)" spacing="lg" verticalSpacing="sm" mt="sm" mb={0}>
          {columns.map(({ name, label, required, hint, example }) => (
            <div key={name}>
              <Text component="dt" inherit c="var(--xp-ink)" fw={600}>
                {label}
                {required && (
                  <Text span inherit c="dimmed" fw={400}>
                    {" "}
                    · required
                  </Text>
                )}
              </Text>
              <Text component="dd" inherit m={0} style={{ overflowWrap: "anywhere" }}>
                {hint ?? (example ? `Such as ${example}` : "Optional.")}
              </Text>
            </div>
          ))}
        </SimpleGrid>
      </Box>
    </Stack>
  );
}
