import { SoftwareStage, testStages } from "#schema/catalogue.ts";
import { User } from "#api/people/users/user.entity.ts";
import type { Context } from "#api/platform/context.ts";
import type { SoftwareBuild } from "./software-build.entity.ts";
import { SoftwareChannel } from "./software-channel.entity.ts";

/** The builds whose installers the caller is offered: Production's, then for testers Alpha's and Beta's. */
export async function findInstallers({ em, actor }: Pick<Context, "em" | "actor">): Promise<SoftwareBuild[]> {
  const user = actor && (await em.findOne(User, { id: actor.userId }, { fields: ["isTester"] }));
  const stages = [SoftwareStage.Production, ...(user?.isTester ? testStages : [])];
  const channels = await em.find(SoftwareChannel, { stage: { $in: stages } }, { populate: ["build"] });
  return stages.flatMap((stage) => {
    const build = channels.find((channel) => channel.stage === stage)?.build;
    return build && !build.withdrawnAt ? [build] : [];
  });
}
