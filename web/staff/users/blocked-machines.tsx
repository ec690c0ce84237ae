import { IconCopy, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { useController, type UseFormReturn } from "react-hook-form";
import { normaliseMachineName } from "#schema/machine-name.ts";
import { Button, IconButton } from "#web/ui/button.tsx";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import { copyText } from "#web/ui/copy-button.tsx";
import { useAppForm } from "#web/ui/form/app-form.tsx";
import { TextField } from "#web/ui/form/fields.tsx";
import { FieldGroup } from "#web/ui/form/form-parts.tsx";
import { formatDate } from "#schema/dates.ts";
import { useLastValue } from "#web/ui/use-last-value.ts";
import { fieldLabels } from "./user-fields.tsx";
import { ContestedFieldChoices } from "#web/ui/form/contested.tsx";
import classes from "./user-form.module.css";
import type { ListedMachine, UpdateUserForm } from "./user-values.ts";

const loadRules = () => import("#schema/rules/user-form.ts").then((file) => file.blockMachineRules);

/** Longest machine name shown in full. */
const MAX_NAME_LENGTH = 55;

const isIn = (list: readonly ListedMachine[], machineName: string) =>
  list.some((machine) => normaliseMachineName(machine.machineName) === normaliseMachineName(machineName));

/** Edits the machines that every licence of the user refuses. Changes are saved on Submit. */
export function BlockedMachines({ form }: { form: UseFormReturn<UpdateUserForm> }) {
  const { field, fieldState, formState } = useController({ control: form.control, name: "blockedMachines" });
  const [unblocking, setUnblocking] = useState<string | null>(null);
  const shownName = useLastValue(unblocking);
  const box = useAppForm(loadRules, { defaultValues: { machineName: "" } });
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

  function remove() {
    field.onChange(machines.filter(({ machineName }) => machineName !== unblocking));
    setUnblocking(null);
    box.setFocus("machineName");
  }

  return (
    <FieldGroup title={fieldLabels.blockedMachines}>
      <p className={classes.note}>
        Machines with these names can't use this user's licences. A name without a domain matches every domain.
      </p>
      <div className={classes.addMachine}>
        <TextField
          control={box.control}
          name="machineName"
          label="Machine name"
          autoComplete="off"
          onEnter={() => void add()}
        />
        <Button variant="default" onClick={() => void add()}>
          Add machine
        </Button>
      </div>
      {machines.length > 0 ? (
        <ul className={classes.machines} aria-label="Blocked machines">
          {machines.map(({ machineName, blockedAt }) => (
            <li key={machineName}>
              <MachineName name={machineName} />
              {blockedAt ? (
                <span className={classes.since}>since {formatDate(blockedAt)}</span>
              ) : (
                <span className={classes.unsaved}>Not saved yet</span>
              )}
              <span className={classes.machineActions}>
                <IconButton
                  label={`Copy ${machineName}`}
                  onClick={() => void copyText(machineName, "Machine name copied to clipboard")}
                >
                  <IconCopy size={18} stroke={1.8} aria-hidden="true" />
                </IconButton>
                <IconButton label={`Remove ${machineName}`} onClick={() => setUnblocking(machineName)}>
                  <IconTrash size={18} stroke={1.8} aria-hidden="true" />
                </IconButton>
              </span>
            </li>
          ))}
        </ul>
      ) : (
        <p className={classes.empty}>No blocked machines.</p>
      )}
      {unblocked.length > 0 && (
        <p className={classes.pending} role="status">
          <span className={classes.unsaved}>Not saved yet</span>
          {unblocked.length === 1 ? "One machine" : `${unblocked.length} machines`} will be unblocked when you submit.
          <button type="button" onClick={() => field.onChange([...machines, ...unblocked].toSorted(byName))}>
            Undo
          </button>
        </p>
      )}
      {fieldState.error?.message && <p className={classes.error}>{fieldState.error.message}</p>}
      <ContestedFieldChoices names={["blockedMachines"]} />
      <ConfirmDialog
        opened={unblocking !== null}
        title="Unblock machine"
        onConfirm={remove}
        onCancel={() => setUnblocking(null)}
      >
        <p className={classes.dialogName}>{shownName}</p>
        <p>After you submit the form, this machine can use the user's licences again. Do you want to unblock it?</p>
      </ConfirmDialog>
    </FieldGroup>
  );
}

function byName(one: ListedMachine, other: ListedMachine): number {
  return one.machineName.localeCompare(other.machineName);
}

/** Shortens a long name visually, but not for screen readers. */
function MachineName({ name }: { name: string }) {
  const characters = Array.from(name);
  if (characters.length <= MAX_NAME_LENGTH) return <b className={classes.machineName}>{name}</b>;
  return (
    <b className={classes.machineName} title={name}>
      <span aria-hidden="true">{characters.slice(0, MAX_NAME_LENGTH).join("")}…</span>
      <span className={classes.visuallyHidden}>{name}</span>
    </b>
  );
}
