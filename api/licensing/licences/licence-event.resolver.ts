import { Arg, Args, Ctx, FieldResolver, ID, Resolver, Root } from "type-graphql";
import { describeLicenceEventResult, labelLicenceEvent, nextStepByResultCode } from "#schema/licence-history.ts";
import { Allow, createPage, field, Scope } from "#api/platform/graphql/declare.ts";
import type { Context } from "#api/platform/context.ts";
import { createPageCost, HistoryArgs } from "#api/platform/graphql/page.ts";
import { Device } from "#api/licensing/devices/device.entity.ts";
import { Licence } from "./licence.entity.ts";
import { getResultCodeName } from "./licence-answer.ts";
import { LicenceEvent } from "./licence-event.entity.ts";
import { listLicenceEvents } from "./list-licence-events.ts";

export const LicenceEventPage = createPage("LicenceEventPage", "signedIn", "A page of licence events, newest first.", {
  rows: field.list(() => LicenceEvent, "The events of the page.", { access: Scope("licences:read") }),
});
export type LicenceEventPage = InstanceType<typeof LicenceEventPage>;

/** Query cost of a page, which reads every month's partition even for one row. */
const pageCost = createPageCost(0, 4);

@Resolver(() => LicenceEvent)
export class LicenceEventResolver {
  @FieldResolver(() => String, { description: "Description of the request or change." })
  asked(@Root() event: LicenceEvent): string {
    return labelLicenceEvent(event.kind);
  }

  @FieldResolver(() => String, { description: "Description of the result." })
  answer(@Root() event: LicenceEvent): string {
    return describeLicenceEventResult(event.kind, getResultCodeName(event.resultCode));
  }

  @FieldResolver(() => String, { nullable: true, description: "Suggested next step, or null if none is needed." })
  nextStep(@Root() event: LicenceEvent): string | null {
    return nextStepByResultCode[getResultCodeName(event.resultCode)]?.text ?? null;
  }
}

@Resolver(() => Licence)
export class LicenceHistoryResolver {
  @Allow("signedIn", { scope: "licences:read" })
  @FieldResolver(() => LicenceEventPage, { description: "Events of the licence, newest first.", complexity: pageCost })
  async events(
    @Root() licence: Licence,
    @Args(() => HistoryArgs) { first, after }: HistoryArgs,
    @Arg("deviceId", () => ID, { nullable: true, description: "Returns only events of this device." }) deviceId:
      | string
      | undefined,
    @Arg("refusalsOnly", () => Boolean, {
      defaultValue: false,
      description: "Whether to return only refused requests.",
    })
    refusalsOnly: boolean,
    @Ctx() context: Context,
  ): Promise<LicenceEventPage> {
    const options = { first, after, deviceId: deviceId ?? undefined, refusalsOnly };
    return listLicenceEvents(context, "licence", licence.id, options);
  }
}

@Resolver(() => Device)
export class DeviceHistoryResolver {
  @Allow("signedIn", { scope: "licences:read" })
  @FieldResolver(() => LicenceEventPage, { description: "Events of the device, newest first.", complexity: pageCost })
  async events(
    @Root() device: Device,
    @Args(() => HistoryArgs) { first, after }: HistoryArgs,
    @Arg("refusalsOnly", () => Boolean, {
      defaultValue: false,
      description: "Whether to return only refused requests.",
    })
    refusalsOnly: boolean,
    @Ctx() context: Context,
  ): Promise<LicenceEventPage> {
    return listLicenceEvents(context, "device", device.id, { first, after, refusalsOnly });
  }
}
