import type { DeviceAuthorizationQuery } from "#web/generated/graphql.ts";
import { formatDateTime } from "#schema/dates.ts";
import classes from "./device-question.module.css";

/** What is known of the machine that asks, its code first: the add-in shows the same one. */
export function MachineFacts({ machine }: { machine: DeviceAuthorizationQuery["deviceAuthorization"] }) {
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
