import { useEffect, useRef } from "react";
import type { InferType } from "yup";
import { useWatch } from "react-hook-form";
import { shownMachineName } from "#schema/machine-name.ts";
import type { confirmDeviceAuthorizationFormRules } from "#schema/rules/device-authorization.ts";
import { paths } from "#web/platform/paths.ts";
import {
  type DeviceAuthorizationQuery,
  useConfirmDeviceAuthorizationMutation,
  useDenyDeviceAuthorizationMutation,
} from "#web/generated/graphql.ts";
import { BusyButton } from "#web/ui/busy-button.tsx";
import { LinkButton } from "#web/ui/button.tsx";
import { Callout } from "#web/ui/callout.tsx";
import { AppForm, INVALID_FORM, useAppForm } from "#web/ui/form/app-form.tsx";
import { CheckboxField, SelectField } from "#web/ui/form/fields.tsx";
import { FormActions, SubmitButton } from "#web/ui/form/form-parts.tsx";
import { formatDateTime } from "#schema/dates.ts";
import { notify } from "#web/platform/notifications.ts";
import { codeOf } from "#web/platform/server-error.ts";
import classes from "./device-question.module.css";
import { LicenceChoice } from "./licence-choice.tsx";
import type { Progress } from "./sign-in-activation.tsx";

const loadRules = () =>
  import("#schema/rules/device-authorization.ts").then((file) => file.confirmDeviceAuthorizationFormRules);

const MISSING_DEVICE = "Please choose the device to replace.";
const FALLBACK = "Unable to send your answer. Please try again.";

interface DeviceQuestionProps {
  found: DeviceAuthorizationQuery;
  onAnswered: (progress: Progress) => void;
  /** The code lapsed meanwhile. */
  onStartAgain: () => void;
}

/** Shows which machine asks, and asks on which licence it may run, if it may. */
export function DeviceQuestion({ found, onAnswered, onStartAgain }: DeviceQuestionProps) {
  const { deviceAuthorization: machine, me } = found;
  const { userCode, isSameNetwork, licenceIdsWithPlace, deactivationsRemaining } = machine;
  const [confirm] = useConfirmDeviceAuthorizationMutation();
  const [deny] = useDenyDeviceAuthorizationMutation();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);

  const licences = me.licences.filter(({ status }) => status === "ACTIVE");
  const likely =
    licences.find(({ id }) => licenceIdsWithPlace.includes(id)) ?? (licences.length === 1 ? licences[0] : undefined);
  const form = useAppForm(loadRules, {
    defaultValues: { licenceId: likely?.id ?? "", replaceDeviceId: "", isSameNetwork, startedHere: false },
  });
  const { control } = form;
  const chosenId = useWatch({ control, name: "licenceId" });
  const chosen = licences.find(({ id }) => id === chosenId);
  const isFull = chosen && chosen.devices.length >= chosen.numberOfMachines && !licenceIdsWithPlace.includes(chosen.id);

  const mayReplace = deactivationsRemaining > 0;

  async function send({ licenceId, replaceDeviceId }: InferType<typeof confirmDeviceAuthorizationFormRules>) {
    if (isFull && mayReplace && !replaceDeviceId) {
      form.setError("replaceDeviceId", { type: "missing", message: MISSING_DEVICE }, { shouldFocus: true });
      return notify.error(INVALID_FORM);
    }
    const replaced = isFull && replaceDeviceId ? { replaceDeviceId } : {};
    const { data } = await confirm({ variables: { input: { userCode, licenceId, ...replaced } } });
    if (data) onAnswered(data.confirmDeviceAuthorization);
  }

  async function refuse() {
    notify.clearErrors();
    try {
      const { data } = await deny({ variables: { userCode } });
      if (data) onAnswered(data.denyDeviceAuthorization);
    } catch (error) {
      notify.failure(error, FALLBACK);
      if (codeOf(error) === "BAD_USER_INPUT") onStartAgain();
    }
  }

  return (
    <section className={classes.question} aria-labelledby="device-question">
      <h2 id="device-question" ref={heading} tabIndex={-1} className={classes.title}>
        Activate {machine.machineName}?
      </h2>
      {machine.state === "REFUSED" && (
        <Callout tone="critical">
          <p>{machine.message} Please choose again.</p>
        </Callout>
      )}
      <MachineFacts machine={machine} />
      <Callout tone={isSameNetwork ? "notice" : "critical"}>
        <p>
          <b>Only confirm if you started this on your own machine just now.</b> We will never ask you by mail or phone
          to confirm a code.
          {!isSameNetwork &&
            " This device asks from another network than your browser. That can be a VPN or a proxy; it can also be somebody else's device."}
        </p>
      </Callout>
      <AppForm form={form} onSubmit={send} fallback={FALLBACK} label="Activate a Device">
        {licences.length === 0 ? (
          <div className={classes.none}>
            <p>You have no active licence that this device could run on.</p>
            <LinkButton variant="default" to={paths.myAccount.href()}>
              Go to My Account
            </LinkButton>
          </div>
        ) : (
          <LicenceChoice control={control} licences={licences} withPlace={licenceIdsWithPlace} />
        )}
        {isFull &&
          (!mayReplace ? (
            <p className={classes.full} role="status">
              All places of this licence are taken, and you have no deactivations left within the year. Please contact
              support.
            </p>
          ) : (
            <SelectField
              control={control}
              name="replaceDeviceId"
              label="Device to Replace"
              hint={`All places are taken, so one device gives its place up. That counts: you have ${deactivationsRemaining} ${deactivationsRemaining === 1 ? "deactivation" : "deactivations"} left within the year.`}
              placeholder="Choose a device"
              options={chosen.devices.map((device) => ({
                value: device.id,
                label: `${shownMachineName(device.machineName)}, last seen ${formatDateTime(device.lastSeenAt)}`,
              }))}
            />
          ))}
        {licences.length > 0 && !isSameNetwork && (
          <CheckboxField
            control={control}
            name="startedHere"
            label={`I started this myself on ${machine.machineName}, and it shows the code ${userCode}.`}
          />
        )}
        <FormActions>
          {licences.length > 0 && <SubmitButton>Confirm</SubmitButton>}
          <BusyButton variant="default" onPress={refuse}>
            This Wasn't Me
          </BusyButton>
        </FormActions>
      </AppForm>
    </section>
  );
}

/** What is known of the machine that asks, its code first: the add-in shows the same one. */
function MachineFacts({ machine }: { machine: DeviceAuthorizationQuery["deviceAuthorization"] }) {
  const { userCode, machineName, osUser, addInVersion, ip, requestedAt } = machine;
  return (
    <dl className={classes.facts}>
      <div className={classes.code}>
        <dt>Code in the add-in</dt>
        <dd>{userCode}</dd>
      </div>
      <Fact name="Device" value={machineName} />
      {osUser && <Fact name="Windows user" value={osUser} />}
      <Fact name="Add-in version" value={addInVersion} />
      <Fact name="Place" value={ip} />
      <div>
        <dt>Asked</dt>
        <dd>
          <time dateTime={requestedAt}>{formatDateTime(requestedAt)}</time>
        </dd>
      </div>
    </dl>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
