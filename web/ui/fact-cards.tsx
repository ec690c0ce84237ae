import {
  Badge,
  Box,
  Card,
  DataList,
  type DataListProps,
  Divider,
  Group,
  Stack,
  Text,
  ThemeIcon,
  Title,
} from "@mantine/core";
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
  facts: FactsProps["facts"];
  /** Default 2; use 3 inside a titled section of a page. */
  headingLevel?: 2 | 3 | undefined;
  /** Label that distinguishes this card from the others. */
  mark?: string | undefined;
  children?: ReactNode;
}

/** A fact: its name and value. */
export type Fact = readonly [name: string, value: ReactNode];

export interface FactsProps extends Omit<DataListProps, "children"> {
  /** False, null or an empty text leaves one out. */
  facts: readonly (Fact | false | null | "" | undefined)[];
  /** Weight of the values. */
  weight?: number;
}

/** The value of a fact that the customer left empty. */
export const noneGiven = (
  <Text span inherit c="dimmed">
    None given
  </Text>
);

/** Lists facts, each with its name next to its value. */
export function Facts({ facts, weight, ...list }: FactsProps) {
  return (
    <DataList data-break="anywhere" {...list}>
      {facts.map(
        (fact, index) =>
          fact && (
            // oxlint-disable-next-line react/no-array-index-key -- several seats of a device have the same name
            <DataList.Item key={index}>
              <DataList.ItemLabel>{fact[0]}</DataList.ItemLabel>
              <DataList.ItemValue fw={weight}>{fact[1]}</DataList.ItemValue>
            </DataList.Item>
          ),
      )}
    </DataList>
  );
}

/** Shows facts in a row where the width allows, each with its name above its value. */
export function FactRow(props: FactsProps) {
  return <Facts orientation="vertical" gap="0.75rem 2.5rem" style={{ flexFlow: "row wrap" }} {...props} />;
}

/** Shows facts in columns of at least `minWidth`, each with its name above its value. */
export function FactGrid({ facts, minWidth = "9rem" }: FactsProps & { minWidth?: string }) {
  return (
    <Facts
      facts={facts}
      weight={560}
      size="md"
      orientation="vertical"
      display="grid"
      style={{
        gridTemplateColumns: `repeat(auto-fill, minmax(min(100%, ${minWidth}), 1fr))`,
        gap: "var(--mantine-spacing-sm) var(--mantine-spacing-lg)",
        overflowWrap: "anywhere",
      }}
    />
  );
}

export function FactCard({ icon: Picture, name, nameId, facts, headingLevel = 2, mark, children }: FactCardProps) {
  return (
    <Card component="li" shadow="sm" bd={mark && "1px solid var(--xp-brand)"}>
      <Stack gap="sm" h="100%">
        <Group gap="sm" wrap="nowrap">
          <ThemeIcon variant="light" size="2.5rem" aria-hidden>
            <Picture size={22} stroke={1.6} />
          </ThemeIcon>
          <Title order={headingLevel} id={nameId} flex={1} fz="1.0625rem" lh={1.3} data-break="anywhere">
            {name}
          </Title>
          {mark !== undefined && <Badge flex="none">{mark}</Badge>}
        </Group>
        <Divider />
        <Facts flex={1} gap={4} facts={facts} />
        {children}
      </Stack>
    </Card>
  );
}
