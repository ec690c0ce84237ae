import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { addBuild } from "#api/releases/software/add-build.ts";
import { publishSoftware, rollBackSoftware } from "#api/releases/software/change-offer.ts";
import { requestPublishing } from "#api/releases/software/approve-publishing.ts";
import { SoftwareChannel } from "#api/releases/software/software-build.entity.ts";
import { createContext } from "#api/platform/context.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { publishTestBuild } from "#tests/factories/software.ts";
import { createAdmin } from "#tests/factories/user.ts";
import { atOnce, ROUNDS } from "#tests/support/crowds.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { openSecondProcess } from "#tests/support/two-processes.ts";

const app = await startTestApp({ twoPersonRelease: true });
const other = await openSecondProcess(app, { twoPersonRelease: true });
/** Creates a context for an admin, alternately in the two processes. */
const act = (index: number, { id }: User) =>
  createContext(index % 2 ? app.services : other, { actor: { userId: id, sessionId: null, role: "admin" } });
const draft = (version: string, uploader: User, stage: number) =>
  addBuild(act(0, uploader), { stage, version, fileName: "Setup.exe" }, async () => Readable.from([version]));
const findChannel = (stage: number) =>
  app.context().em.findOneOrFail(SoftwareChannel, { stage }, { populate: ["build"] });
const countEntries = async (action: string, buildId: string) =>
  (await app.services.pool.query("select from audit_entries where action = $1 and subject_id = $2", [action, buildId]))
    .rowCount;

test("never lets one admin request and publish a build in two tabs", async () => {
  const [uploader, admin] = [await createAdmin(app), await createAdmin(app)];
  for (let round = 1; round <= ROUNDS.of10; round++) {
    const { id } = await draft(`1.${round}`, uploader, 3);
    await app.services.pool.query("update software_builds set uploaded_by_id = null where id = $1", [id]);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) =>
        index < 4 ? requestPublishing(act(index, admin), id) : publishSoftware(act(index, admin), id),
      ),
    );
    expect(outcomes.slice(4).every(({ status }) => status === "rejected")).toBe(true);
    expect(await countEntries("request-publishing", id)).toBe(1);
    expect(await countEntries("publish-software", id)).toBe(0);
  }
});

test("publishes once if several second admins publish concurrently", async () => {
  const uploader = await createAdmin(app);
  const seconds = await atOnce(4, () => createAdmin(app));
  for (let round = 1; round <= ROUNDS.of10; round++) {
    const { id } = await draft(`1.${round}`, uploader, 4);
    await requestPublishing(act(0, uploader), id);
    await Promise.all([...seconds, ...seconds].map((admin, index) => publishSoftware(act(index, admin), id)));
    expect(await countEntries("publish-software", id)).toBe(1);
    expect(await findChannel(4)).toMatchObject({ sequence: round, build: { id } });
  }
});

test("gives every offer its own sequence number under concurrent publishing and rollbacks", async () => {
  const stage = 2;
  const first = await publishTestBuild(app, "1.0", { stage });
  const [uploader, second] = [await createAdmin(app), await createAdmin(app)];
  let last = (await findChannel(stage)).sequence;
  let offered = first.id;
  for (let round = 1; round <= ROUNDS.of10; round++) {
    const builds = [await draft(`${round}.1`, uploader, stage), await draft(`${round}.2`, uploader, stage)];
    const outcomes = await Promise.allSettled([
      ...builds.map(({ id }, index) => publishSoftware(act(index, second), id)),
      rollBackSoftware(act(0, second), stage, offered),
      rollBackSoftware(act(1, second), stage, offered),
    ]);
    const changes = outcomes.filter(({ status }) => status === "fulfilled").length;
    const channel = await findChannel(stage);
    expect(channel.sequence).toBe(last + changes);
    last = channel.sequence;
    offered = channel.build?.id ?? "";
  }
});
