import { Field, ID, InputType, Int, ObjectType, registerEnumType } from "type-graphql";

/** What a device authorization has come to. */
export enum DeviceAuthorizationState {
  PENDING = "PENDING",
  CONFIRMED = "CONFIRMED",
  DENIED = "DENIED",
  ACTIVATED = "ACTIVATED",
  REFUSED = "REFUSED",
  EXPIRED = "EXPIRED",
}

registerEnumType(DeviceAuthorizationState, {
  name: "DeviceAuthorizationState",
  description: "What a device authorization has come to.",
  valuesConfig: {
    PENDING: { description: "Nobody has answered it yet." },
    CONFIRMED: { description: "Confirmed; the add-in has not asked since." },
    DENIED: { description: "The customer did not start it." },
    ACTIVATED: { description: "The machine has a place on the licence." },
    REFUSED: { description: "The activation was refused; `message` says why. It may be confirmed again." },
    EXPIRED: { description: "The add-in did not fetch the answer in time." },
  },
});

/** A device authorization as the customer who is asked sees it. */
@ObjectType("DeviceAuthorization", { description: "A machine that asks a customer to be activated." })
export class DeviceAuthorizationView {
  @Field(() => ID)
  id!: string;

  @Field(() => String, { description: "The code that the add-in shows." })
  userCode!: string;

  @Field(() => DeviceAuthorizationState)
  state!: DeviceAuthorizationState;

  @Field(() => String, { nullable: true, description: "What the activation came to, once the add-in asked." })
  message!: string | null;

  @Field(() => String)
  machineName!: string;

  @Field(() => String, { nullable: true, description: "Who is signed in to the machine." })
  osUser!: string | null;

  @Field(() => String)
  addInVersion!: string;

  @Field(() => String, { description: "The internet address that the machine asked from." })
  ip!: string;

  @Field(() => Boolean, { description: "Whether that is the network that the caller asks from." })
  isSameNetwork!: boolean;

  @Field(() => Date, { description: "UTC." })
  requestedAt!: Date;

  @Field(() => Date, { description: "When its code lapses, UTC." })
  expiresAt!: Date;

  @Field(() => ID, { nullable: true, description: "The licence the caller chose." })
  licenceId!: string | null;

  @Field(() => [ID], { description: "The caller's licences on which this machine has a place already." })
  licenceIdsWithPlace!: string[];

  @Field(() => Int, { description: "Devices the caller may still free within the year; replacing one counts." })
  deactivationsRemaining!: number;
}

@InputType({ description: "The customer's yes to a machine that asks." })
export class ConfirmDeviceAuthorizationInput {
  @Field(() => String, { description: "In any case, with or without its dash." })
  userCode!: string;

  @Field(() => ID)
  licenceId!: string;

  @Field(() => ID, { nullable: true, description: "Where all places are taken: the device that gives its own." })
  replaceDeviceId?: string;
}
