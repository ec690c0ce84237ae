import { ActionIcon, Badge, Box, Button, Group, Input, Paper, Text, VisuallyHidden } from "@mantine/core";
import { IconCopy, IconTrash } from "@tabler/icons-react";
import { useController, type UseFormReturn } from "react-hook-form";
import type { InferType } from "yup";
import { normaliseMachineName } from "#schema/machine-name.ts";
import type { blockMachineRules } from "#schema/user.ts";
import { confirmAction } from "#web/ui/dialogs.tsx";
import { copyText } from "#web/ui/copy-button.tsx";
import { TextField } from "#web/ui/form/fields.tsx";
import { FieldGroup } from "#web/ui/form/form-parts.tsx";
import { formatDate } from "#schema/dates.ts";
import { useRequestedAction } from "#web/platform/use-requested-action.ts";
import { fieldLabels } from "./user-fields.tsx";
import { ContestedFieldChoices } from "#web/ui/concurrent-edits/merged-form.tsx";
import type { ListedMachine, UpdateUserForm } from "./user-values.ts";
import { Moment } from "#web/ui/moment.tsx";

const unsavedBadge = (
  <Badge size="sm" color="marigold">
    Not saved yet
  </Badge>
);

/** Longest machine name shown in full. */
const MAX_NAME_LENGTH = 55;

const isIn = (list: readonly ListedMachine[], machineName: string) =>
  list.some((machine) => normaliseMachineName(machine.machineName) === normaliseMachineName(machineName));

interface BlockedMachinesProps {
  form: UseFormReturn<UpdateUserForm>;
  /** The field for a machine that isn't in the list yet. */
  box: UseFormReturn<InferType<typeof blockMachineRules>>;
}

/** Edits the machines that every licence of the user refuses. Changes are saved on Submit. */
export function BlockedMachines({ form, box }: BlockedMachinesProps) {
  const { field, fieldState, formState } = useController({ control: form.control, name: "blockedMachines" });
  useRequestedAction({ "blocked-machines": () => box.setFocus("machineName") });
  const machines = field.value;
  const saved = (formState.defaultValues?.blockedMachines ?? []) as ListedMachine[];
  const unblocked = saved.filter(({ machineName }) => !isIn(machines, machineName));

  const add = box.handleSubmit(({ machineName }) => {
    if (isIn(machines, machineName)) {
      box.setError("machineName", { message: "This machine is already blocked." });
      return;
    }
    // If a machine's removal isn't saved yet, blocking it again restores the saved entry.
    const savedEntry = unblocked.find(
      (one) => normaliseMachineName(one.machineName) === normaliseMachineName(machineName),
    );
    field.onChange([...machines, savedEntry ?? { machineName, blockedAt: null }].toSorted(byName));
    box.reset();
    box.setFocus("machineName");
  });

  const remove = (name: string) =>
    confirmAction({
      title: "Unblock machine",
      confirmLabel: "Unblock",
      text: (
        <>
          <Text fw={600} data-break="anywhere">
            {name}
          </Text>
          <p>After you submit the form, this machine can use the user's licences again. Do you want to unblock it?</p>
        </>
      ),
      run: async () => field.onChange(machines.filter(({ machineName }) => machineName !== name)),
      failure: "Unable to unblock the machine.",
      onSettled: () => box.setFocus("machineName"),
    });

  return (
    <FieldGroup title={fieldLabels.blockedMachines}>
      <Text c="dimmed" fz="sm">
        Machines with these names can't use this user's licences. A name without a domain matches every domain.
      </Text>
      <Group align="flex-start" gap="sm">
        <Box flex="1 1 12rem">
          <TextField
            control={box.control}
            name="machineName"
            label="Machine name"
            autoComplete="off"
            onEnter={() => void add()}
          />
        </Box>
        {/* Aligns with the input below its label. */}
        <Button variant="default" size="md" mt={{ base: 0, xs: "1.8125rem" }} onClick={() => void add()}>
          Add machine
        </Button>
      </Group>
      {machines.length > 0 ? (
        <Paper component="ul" withBorder m={0} p={0} aria-label="Blocked machines">
          {machines.map(({ machineName, blockedAt }) => (
            <Group key={machineName} component="li" gap="2px 16px" px="md" py={6}>
              <MachineName name={machineName} />
              {blockedAt ? (
                <Text span c="dimmed" fz="sm">
                  since <Moment at={blockedAt} as={formatDate} />
                </Text>
              ) : (
                unsavedBadge
              )}
              <Group component="span" gap={4}>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size="lg"
                  aria-label={`Copy ${machineName}`}
                  onClick={() => void copyText(machineName, "Machine name copied to clipboard")}
                >
                  <IconCopy size={18} stroke={1.8} aria-hidden="true" />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size="lg"
                  aria-label={`Remove ${machineName}`}
                  onClick={() => remove(machineName)}
                >
                  <IconTrash size={18} stroke={1.8} aria-hidden="true" />
                </ActionIcon>
              </Group>
            </Group>
          ))}
        </Paper>
      ) : (
        <Text c="dimmed" ta="center" p="md" bd="1px dashed var(--xp-line)" bdrs="md">
          No blocked machines.
        </Text>
      )}
      {/* Mounted while empty, because screen readers announce only later changes. It then takes no space. */}
      <Group role="status" gap="6px 12px" c="dimmed" fz="sm" pos={unblocked.length > 0 ? undefined : "absolute"}>
        {unblocked.length > 0 && (
          <>
            {unsavedBadge}
            {unblocked.length === 1 ? "One machine" : `${unblocked.length} machines`} will be unblocked when you submit.
            <Button
              variant="subtle"
              size="compact-sm"
              onClick={() => {
                field.onChange([...machines, ...unblocked].toSorted(byName));
                // The pressed button disappears.
                box.setFocus("machineName");
              }}
            >
              Undo
            </Button>
          </>
        )}
      </Group>
      {fieldState.error?.message && <Input.Error>{fieldState.error.message}</Input.Error>}
      <ContestedFieldChoices names={["blockedMachines"]} />
    </FieldGroup>
  );
}

function byName(one: ListedMachine, other: ListedMachine): number {
  return one.machineName.localeCompare(other.machineName);
}

/** Shortens a long name visually, but not for screen readers. */
function MachineName({ name }: { name: string }) {
  const characters = Array.from(name);
  const isLong = characters.length > MAX_NAME_LENGTH;
  return (
    <Text
      component="b"
      inherit
      fw={560}
      flex="1 1 12rem"
      miw={0}
      title={isLong ? name : undefined}
      data-break="anywhere"
    >
      {isLong ? (
        <>
          <span aria-hidden="true">{characters.slice(0, MAX_NAME_LENGTH).join("")}…</span>
          <VisuallyHidden>{name}</VisuallyHidden>
        </>
      ) : (
        name
      )}
    </Text>
  );
}
