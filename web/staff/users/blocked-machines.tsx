import { IconCopy, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { useController, type UseFormReturn } from "react-hook-form";
import { comparedMachineName } from "#schema/machine-name.ts";
import { Button, IconButton } from "#web/ui/button.tsx";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import { copyText } from "#web/ui/copy-button.tsx";
import { useAppForm } from "#web/ui/form/app-form.tsx";
import { TextField } from "#web/ui/form/fields.tsx";
import { FieldGroup } from "#web/ui/form/form-parts.tsx";
import { formatDate } from "#schema/dates.ts";
import { useLast } from "#web/ui/use-last.ts";
import { fieldLabels } from "./user-fields.tsx";
import { Contested } from "#web/ui/form/contested.tsx";
import classes from "./user-form.module.css";
import type { ListedMachine, UpdateUserForm } from "./user-values.ts";

const loadRules = () => import("#schema/rules/user-form.ts").then((file) => file.blockMachineRules);

/** Longest machine name that is shown in full. */
const SHOWN_CHARACTERS = 55;

const isIn = (list: readonly ListedMachine[], machineName: string) =>
  list.some((machine) => comparedMachineName(machine.machineName) === comparedMachineName(machineName));

/** The machines refused on every licence of the user; what is changed here waits for Submit. */
export function BlockedMachines({ form }: { form: UseFormReturn<UpdateUserForm> }) {
  const { field, fieldState, formState } = useController({ control: form.control, name: "blockedMachines" });
  const [asked, setAsked] = useState<string | null>(null);
  const shownName = useLast(asked);
  const box = useAppForm(loadRules, { defaultValues: { machineName: "" } });
  const machines = field.value;
  const saved = (formState.defaultValues?.blockedMachines ?? []) as ListedMachine[];
  const unblocked = saved.filter(({ machineName }) => !isIn(machines, machineName));

  const add = box.handleSubmit(({ machineName }) => {
    if (isIn(machines, machineName)) {
      box.setError("machineName", { message: "This machine is blocked already." });
      return;
    }
    // Unblocked and blocked again before it was saved: nothing has changed.
    const known = unblocked.find((one) => comparedMachineName(one.machineName) === comparedMachineName(machineName));
    field.onChange([...machines, known ?? { machineName, blockedAt: null }].toSorted(byName));
    box.reset();
    box.setFocus("machineName");
  });

  function remove() {
    field.onChange(machines.filter(({ machineName }) => machineName !== asked));
    setAsked(null);
    box.setFocus("machineName");
  }

  return (
    <FieldGroup title={fieldLabels.blockedMachines}>
      <p className={classes.note}>
        A machine with one of these names gets no licence of this user. Without a domain, a name counts in every domain.
      </p>
      <div className={classes.addMachine}>
        <TextField
          control={box.control}
          name="machineName"
          label="Machine Name"
          autoComplete="off"
          onEnter={() => void add()}
        />
        <Button variant="default" onClick={() => void add()}>
          Add Machine
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
                <IconButton label={`Remove ${machineName}`} onClick={() => setAsked(machineName)}>
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
          {unblocked.length === 1 ? "One machine is unblocked" : `${unblocked.length} machines are unblocked`} when you
          submit.
          <button type="button" onClick={() => field.onChange([...machines, ...unblocked].toSorted(byName))}>
            Undo
          </button>
        </p>
      )}
      {fieldState.error?.message && <p className={classes.fault}>{fieldState.error.message}</p>}
      <Contested names={["blockedMachines"]} />
      <ConfirmDialog opened={asked !== null} title="Unblock Machine" onConfirm={remove} onCancel={() => setAsked(null)}>
        <p className={classes.askedName}>{shownName}</p>
        <p>
          Once you submit the form, this machine may use the licences of this user again. Do you want to unblock it?
        </p>
      </ConfirmDialog>
    </FieldGroup>
  );
}

function byName(one: ListedMachine, other: ListedMachine): number {
  return one.machineName.localeCompare(other.machineName);
}

/** A long name is cut for the eye only. */
function MachineName({ name }: { name: string }) {
  const characters = Array.from(name);
  if (characters.length <= SHOWN_CHARACTERS) return <b className={classes.machineName}>{name}</b>;
  return (
    <b className={classes.machineName} title={name}>
      <span aria-hidden="true">{characters.slice(0, SHOWN_CHARACTERS).join("")}…</span>
      <span className={classes.heard}>{name}</span>
    </b>
  );
}
