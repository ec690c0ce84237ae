import { Arg, Ctx, Field, FieldResolver, ID, Int, ObjectType, Resolver, Root } from "type-graphql";
import { describeLicenceEventResult, labelLicenceEvent, nextStepByResultCode } from "#schema/licence-history.ts";
import { Allow, Scope, VisibleTo } from "#api/platform/graphql/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { calculateRowsCost } from "#api/platform/graphql/field-costs.ts";
import { Device } from "#api/licensing/devices/device.entity.ts";
import { Licence } from "./licence.entity.ts";
import { getResultCodeName } from "./licence-answer.ts";
import { LicenceEvent } from "./licence-event.entity.ts";
import { listLicenceEvents } from "./list-licence-events.ts";

@VisibleTo("signedIn")
@ObjectType({ description: "A page of licence events, newest first." })
export class LicenceEventPage {
  @Scope("licences:read")
  @Field(() => [LicenceEvent], { description: "The events of the page." })
  rows!: LicenceEvent[];

  @Field(() => String, { nullable: true, description: "Cursor of the next, older page. Pass it as `after`." })
  endCursor!: string | null;

  @Field(() => Boolean, { description: "Whether there are older events." })
  hasMore!: boolean;
}

/** Returns the query cost of a page, which reads every month's partition even for one row. */
const calculatePageCost = ({ args, childComplexity }: { args: { first?: number }; childComplexity: number }) =>
  calculateRowsCost(args.first ?? 20, childComplexity, 4);

const pageSize = { defaultValue: 20, description: "At most 100." } as const;

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

  @FieldResolver(() => String, {
    nullable: true,
    description: "Suggested next step, or null if none is needed.",
  })
  nextStep(@Root() event: LicenceEvent): string | null {
    return nextStepByResultCode[getResultCodeName(event.resultCode)]?.text ?? null;
  }
}

@Resolver(() => Licence)
export class LicenceHistoryResolver {
  @Allow("signedIn", { scope: "licences:read" })
  @FieldResolver(() => LicenceEventPage, {
    description: "Events of the licence, newest first.",
    complexity: calculatePageCost,
  })
  async events(
    @Root() licence: Licence,
    @Arg("first", () => Int, pageSize) first: number,
    @Arg("after", () => String, { nullable: true, description: "The `endCursor` of the previous page." }) after:
      | string
      | undefined,
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
    const options = { first, after: after ?? undefined, deviceId: deviceId ?? undefined, refusalsOnly };
    return listLicenceEvents(context, "licence", licence.id, options);
  }
}

@Resolver(() => Device)
export class DeviceHistoryResolver {
  @Allow("signedIn", { scope: "licences:read" })
  @FieldResolver(() => LicenceEventPage, {
    description: "Events of the device, newest first.",
    complexity: calculatePageCost,
  })
  async events(
    @Root() device: Device,
    @Arg("first", () => Int, pageSize) first: number,
    @Arg("after", () => String, { nullable: true, description: "The `endCursor` of the previous page." }) after:
      | string
      | undefined,
    @Arg("refusalsOnly", () => Boolean, {
      defaultValue: false,
      description: "Whether to return only refused requests.",
    })
    refusalsOnly: boolean,
    @Ctx() context: Context,
  ): Promise<LicenceEventPage> {
    return listLicenceEvents(context, "device", device.id, { first, after: after ?? undefined, refusalsOnly });
  }
}
