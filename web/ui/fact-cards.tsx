import { Badge, Box, Card, DataList, Divider, Group, Stack, ThemeIcon, Title } from "@mantine/core";
import type { Icon } from "@tabler/icons-react";
import type { ReactNode } from "react";

/** A list of cards in columns where the width allows. `label` names it for screen readers. */
export function FactCards({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Box
      component="ul"
      aria-label={label}
      m={0}
      p={0}
      display="grid"
      style={{ gridTemplateColumns: "repeat(auto-fill, minmax(min(100%, 20rem), 1fr))", gap: "1rem" }}
    >
      {children}
    </Box>
  );
}

export interface FactCardProps {
  icon: Icon;
  name: string;
  /** Id of the name, for the `aria-labelledby` of the card's button. */
  nameId: string;
  facts: readonly (readonly [name: string, value: ReactNode])[];
  /** Default 2; use 3 inside a titled section of a page. */
  headingLevel?: 2 | 3 | undefined;
  /** Label that distinguishes this card from the others. */
  mark?: string | undefined;
  children?: ReactNode;
}

export interface FactGridProps {
  facts: readonly (readonly [name: string, value: ReactNode])[];
  /** Smallest width of a column. Default 9 rem. */
  minWidth?: string;
}

/** A fact of a `DataList`, in bold. */
export function Fact({ name, value }: { name: string; value: ReactNode }) {
  return (
    <DataList.Item>
      <DataList.ItemLabel>{name}</DataList.ItemLabel>
      <DataList.ItemValue fw={600}>{value}</DataList.ItemValue>
    </DataList.Item>
  );
}

/** Shows facts in columns where the width allows, each with its name above its value. */
export function FactGrid({ facts, minWidth = "9rem" }: FactGridProps) {
  return (
    <DataList
      orientation="vertical"
      display="grid"
      style={{
        gridTemplateColumns: `repeat(auto-fill, minmax(min(100%, ${minWidth}), 1fr))`,
        gap: "var(--mantine-spacing-sm) var(--mantine-spacing-lg)",
        overflowWrap: "anywhere",
      }}
    >
      {facts.map(([name, value]) => (
        <DataList.Item key={name}>
          <DataList.ItemLabel>{name}</DataList.ItemLabel>
          <DataList.ItemValue fz="md" fw={560}>
            {value}
          </DataList.ItemValue>
        </DataList.Item>
      ))}
    </DataList>
  );
}

export function FactCard({ icon: Picture, name, nameId, facts, headingLevel = 2, mark, children }: FactCardProps) {
  return (
    <Card component="li" withBorder radius="lg" shadow="sm" bd={mark && "1px solid var(--xp-brand)"}>
      <Stack gap="sm" h="100%">
        <Group gap="sm" wrap="nowrap">
          <ThemeIcon variant="light" size="2.5rem" aria-hidden>
            <Picture size={22} stroke={1.6} />
          </ThemeIcon>
          <Title order={headingLevel} id={nameId} flex={1} fz="1.0625rem" lh={1.3} style={{ overflowWrap: "anywhere" }}>
            {name}
          </Title>
          {mark !== undefined && <Badge flex="none">{mark}</Badge>}
        </Group>
        <Divider />
        <DataList flex={1} gap={4}>
          {facts.map(([title, value]) => (
            <DataList.Item key={title}>
              <DataList.ItemLabel>{title}</DataList.ItemLabel>
              <DataList.ItemValue style={{ overflowWrap: "anywhere" }}>{value}</DataList.ItemValue>
            </DataList.Item>
          ))}
        </DataList>
        {children}
      </Stack>
    </Card>
  );
}
