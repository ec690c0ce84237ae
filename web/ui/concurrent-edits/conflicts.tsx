import { Alert, Box, Group, Text } from "@mantine/core";
import type { MouseEvent } from "react";
import { Button } from "#web/ui/button.tsx";
import { Callout } from "#web/ui/callout.tsx";
import type { Settle } from "./merged-form.tsx";
import type { ConcurrentEdits } from "./use-merged-edits.ts";

/** Says who saved the same record in the meantime, and how the form was merged. */
export function ConcurrentEditNote(props: {
  /** Name of the record, such as `user`. */
  noun: string;
  edits: ConcurrentEdits;
  onSettle: Settle;
}) {
  const { noun, edits, onSettle } = props;
  const { by, taken, contested } = edits;
  const open = Object.values(contested).map(({ label }) => label);
  const names = Object.keys(contested);
  return (
    <div role="alert">
      <Callout tone="notice">
        <p>
          <b>{by}</b> saved this {noun} while you were editing. Your changes are kept but not saved yet.
        </p>
        {taken.length > 0 && <p>Updated with their changes: {taken.join(", ")}.</p>}
        {open.length > 0 ? (
          <>
            <p>You both changed: {open.join(", ")}. Choose which values to keep, then submit again.</p>
            <Group gap="xs">
              <Choice names={names} onSettle={onSettle} whose="theirs" text="Take all theirs" />
              <Choice names={names} onSettle={onSettle} whose="mine" text="Keep all mine" />
            </Group>
          </>
        ) : (
          <p>Check the form and submit it again.</p>
        )}
      </Callout>
    </div>
  );
}

/** Shows both values of each contested field, with buttons to choose one. */
export function ContestedChoices(props: {
  names: readonly string[];
  contested: ConcurrentEdits["contested"];
  onSettle: Settle;
}) {
  const { names, contested, onSettle } = props;
  return names.map((name) => {
    const field = contested[name];
    if (!field) return null;
    const { label, theirs, mine, by } = field;
    return (
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
            <Choice names={[name]} onSettle={onSettle} whose="theirs" text="Take theirs" label={label} />
            <Choice names={[name]} onSettle={onSettle} whose="mine" text="Keep mine" label={label} />
          </Group>
        </Group>
      </Alert>
    );
  });
}

/** A button that settles fields. It disappears with the choice, so the focus moves to the field or to Submit. */
function Choice(props: {
  names: readonly string[];
  onSettle: Settle;
  whose: Parameters<Settle>[1];
  text: string;
  /** Of the only field. */
  label?: string;
}) {
  const { names, onSettle, whose, text, label } = props;
  function choose({ currentTarget: { form } }: MouseEvent<HTMLButtonElement>) {
    onSettle(names, whose);
    const submit = form?.querySelector<HTMLElement>("[type=submit]");
    const field = label && form?.querySelector<HTMLElement>(`[name="${names[0]}"]`);
    (field || submit)?.focus();
  }
  return (
    <Button size="sm" variant="default" aria-label={label && `${text} for ${label}`} onClick={choose}>
      {text}
    </Button>
  );
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
