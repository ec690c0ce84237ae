import { Arg, Ctx, Field, FieldResolver, ID, Int, ObjectType, Resolver, Root } from "type-graphql";
import type { ResultCodeName } from "#schema/catalogue.ts";
import { answerInWords, askedInWords, nextStepOfResultCode } from "#schema/licence-history.ts";
import { Allow } from "#api/platform/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { costOfRows } from "#api/platform/field-costs.ts";
import { Device } from "#api/licensing/devices/device.entity.ts";
import { Licence } from "./licence.entity.ts";
import { nameOfResultCode } from "./licence-answer.ts";
import { LicenceEvent } from "./licence-event.entity.ts";
import { eventsOf } from "./list-licence-events.ts";

@ObjectType({ description: "A part of a history, newest first." })
export class LicenceEventPage {
  @Field(() => [LicenceEvent])
  rows!: LicenceEvent[];

  @Field(() => String, { nullable: true, description: "Given as `after`, it leads to the next, older part." })
  endCursor!: string | null;

  @Field(() => Boolean, { description: "Whether there is an older part." })
  hasMore!: boolean;
}

/** A history is read from every month's partition, even for one row. */
const costOfEvents = ({ args, childComplexity }: { args: { first?: number }; childComplexity: number }) =>
  costOfRows(args.first ?? 20, childComplexity, 4);

const howMany = { defaultValue: 20, description: "At most 100." } as const;

@Resolver(() => LicenceEvent)
export class LicenceEventResolver {
  @FieldResolver(() => String, { description: "Name of the result code." })
  code(@Root() event: LicenceEvent): ResultCodeName {
    return nameOfResultCode(event.resultCode);
  }

  @FieldResolver(() => String, { description: "What was asked, in words." })
  asked(@Root() event: LicenceEvent): string {
    return askedInWords(event.kind);
  }

  @FieldResolver(() => String, { description: "The answer, in words." })
  answer(@Root() event: LicenceEvent): string {
    return answerInWords(event.kind, nameOfResultCode(event.resultCode));
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: "What can be done about it; null where nothing is to be.",
  })
  nextStep(@Root() event: LicenceEvent): string | null {
    return nextStepOfResultCode[nameOfResultCode(event.resultCode)]?.words ?? null;
  }
}

@Resolver(() => Licence)
export class HistoryOfLicenceResolver {
  @Allow("signedIn")
  @FieldResolver(() => LicenceEventPage, {
    description: "What was asked of the licence and what was done to it, newest first.",
    complexity: costOfEvents,
  })
  async events(
    @Root() licence: Licence,
    @Arg("first", () => Int, howMany) first: number,
    @Arg("after", () => String, { nullable: true }) after: string | undefined,
    @Arg("deviceId", () => ID, { nullable: true }) deviceId: string | undefined,
    @Arg("refusalsOnly", () => Boolean, { defaultValue: false }) refusalsOnly: boolean,
    @Ctx() context: Context,
  ): Promise<LicenceEventPage> {
    const asked = { first, after: after ?? undefined, deviceId: deviceId ?? undefined, refusalsOnly };
    return eventsOf(context, "licence", licence.id, asked);
  }
}

@Resolver(() => Device)
export class HistoryOfDeviceResolver {
  @Allow("signedIn")
  @FieldResolver(() => LicenceEventPage, {
    description: "What the device asked and what was done with it, newest first.",
    complexity: costOfEvents,
  })
  async events(
    @Root() device: Device,
    @Arg("first", () => Int, howMany) first: number,
    @Arg("after", () => String, { nullable: true }) after: string | undefined,
    @Arg("refusalsOnly", () => Boolean, { defaultValue: false }) refusalsOnly: boolean,
    @Ctx() context: Context,
  ): Promise<LicenceEventPage> {
    return eventsOf(context, "device", device.id, { first, after: after ?? undefined, refusalsOnly });
  }
}
