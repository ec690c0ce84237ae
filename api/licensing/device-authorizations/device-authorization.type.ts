import { createType, declareEnum, field, fieldOrNull } from "#api/platform/graphql/declare.ts";

export const DeviceAuthorizationState = declareEnum(
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
export const DeviceAuthorizationView = createType(
  "DeviceAuthorization",
  "customer",
  "A request from the add-in on a device to be activated by a signed-in customer.",
  {
    id: field.id("Unique ID."),
    userCode: field.text("The code that the add-in displays."),
    state: field.code(DeviceAuthorizationState, "State of the authorization."),
    message: fieldOrNull.text(
      "The result of the activation, in words. Null until the add-in has polled after the decision.",
    ),
    machineName: field.text("Name of the machine to activate."),
    osUser: fieldOrNull.text("The operating system user on the device."),
    addInVersion: field.text("Version of the add-in that requested the activation."),
    ip: field.text("IP address that the request came from."),
    isSameNetwork: field.flag("Whether the device is on the same network as the caller."),
    requestedAt: field.moment("The date the device sent the request, in UTC."),
    expiresAt: field.moment("The date the code expires, in UTC."),
    licenceId: fieldOrNull.id("The licence that the caller chose."),
    licenceIdsWithPlace: field.ids("The caller's licences on which this device is already activated."),
    deactivationsRemaining: field.integer(
      "Number of devices that the caller can still deactivate. Replacing a device counts as one.",
    ),
  },
);
export type DeviceAuthorizationView = InstanceType<typeof DeviceAuthorizationView>;
