import { Field, ID, Int, ObjectType } from "type-graphql";
import { VisibleTo } from "#api/platform/graphql/allow.ts";
import { createEnum } from "#api/platform/graphql/enum-type.ts";

export const DeviceAuthorizationState = createEnum(
  "DeviceAuthorizationState",
  "The status of a device authorization.",
  {
    PENDING: "Waiting for the customer's decision.",
    CONFIRMED: "Confirmed by the customer. The add-in has not polled since.",
    DENIED: "Denied by the customer.",
    ACTIVATED: "The device is activated on the licence.",
    REFUSED: "The activation was refused. `message` gives the reason. The authorization can be confirmed again.",
    EXPIRED: "The code expired before the device was activated.",
  },
);
export type DeviceAuthorizationState = keyof typeof DeviceAuthorizationState;

/** A device authorization as the customer sees it. */
@VisibleTo("customer")
@ObjectType("DeviceAuthorization", {
  description: "A request from the add-in on a device to be activated by a signed-in customer.",
})
export class DeviceAuthorizationView {
  @Field(() => ID, { description: "Unique ID." })
  id!: string;

  @Field(() => String, { description: "The code that the add-in displays." })
  userCode!: string;

  @Field(() => DeviceAuthorizationState, { description: "State of the authorization." })
  state!: DeviceAuthorizationState;

  @Field(() => String, {
    nullable: true,
    description: "The result of the activation, in words. Null until the add-in has polled after the decision.",
  })
  message!: string | null;

  @Field(() => String, { description: "Name of the machine to activate." })
  machineName!: string;

  @Field(() => String, { nullable: true, description: "The operating system user on the device." })
  osUser!: string | null;

  @Field(() => String, { description: "Version of the add-in that requested the activation." })
  addInVersion!: string;

  @Field(() => String, { description: "IP address that the request came from." })
  ip!: string;

  @Field(() => Boolean, { description: "Whether the device is on the same network as the caller." })
  isSameNetwork!: boolean;

  @Field(() => Date, { description: "The date the device sent the request, in UTC." })
  requestedAt!: Date;

  @Field(() => Date, { description: "The date the code expires, in UTC." })
  expiresAt!: Date;

  @Field(() => ID, { nullable: true, description: "The licence that the caller chose." })
  licenceId!: string | null;

  @Field(() => [ID], { description: "The caller's licences on which this device is already activated." })
  licenceIdsWithPlace!: string[];

  @Field(() => Int, {
    description: "Number of devices that the caller can still deactivate. Replacing a device counts as one.",
  })
  deactivationsRemaining!: number;
}
