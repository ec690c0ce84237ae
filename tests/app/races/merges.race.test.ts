import { expect, test } from "vitest";
import { createContext, type Services } from "#api/platform/context.ts";
import { addLicence } from "#api/licensing/licences/add-licence.ts";
import { changeSeats } from "#api/licensing/licences/update-licence.ts";
import { mergeAccounts, undoMerge } from "#api/staff/merges/merge-accounts.ts";
import { archiveUser } from "#api/staff/users/archive-user.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import { createLicence } from "#tests/factories/licence.ts";
import { createUser } from "#tests/factories/user.ts";
import { ROUNDS } from "#tests/support/crowds.ts";
import { retryUntilDone } from "#tests/support/retry.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { openSecondProcess } from "#tests/support/two-processes.ts";

const app = await startTestApp();
const processes = [app.services, await openSecondProcess(app)];
let turn = 0;
const anyProcess = () => createContext(processes[turn++ % processes.length] as Services);
const settle = (act: () => Promise<unknown>) =>
  retryUntilDone(act).then(
    () => "done",
    (error: { code?: string }) => error.code ?? "failed",
  );
const countOf = async (userId: string) =>
  Number((await app.services.pool.query("select count(*) as n from licences where user_id = $1", [userId])).rows[0].n);

test("of concurrent merges of two accounts, in both directions, one succeeds, and so does one undo", async () => {
  for (let round = 0; round < ROUNDS.of5; round++) {
    const [one, two] = [await createUser(app), await createUser(app)];
    for (const user of [one, two, two]) await createLicence(app, user);
    const merges = Array.from({ length: 6 }, (_, index) =>
      settle(() => {
        const [kept, merged] = index % 2 === 0 ? [one, two] : [two, one];
        return mergeAccounts(anyProcess(), kept.id, merged.id);
      }),
    );
    expect((await Promise.all(merges)).toSorted()).toEqual([...Array(5).fill("CONFLICT"), "done"]);
    expect(["0 and 3", "3 and 0"]).toContain(`${await countOf(one.id)} and ${await countOf(two.id)}`);
    const { rows } = await app.services.pool.query("select id from account_merges where merged_id = any($1)", [
      [one.id, two.id],
    ]);
    expect(rows).toHaveLength(1);
    const undone = Array.from({ length: 4 }, () => settle(() => undoMerge(anyProcess(), rows[0].id)));
    expect((await Promise.all(undone)).toSorted()).toEqual(["CONFLICT", "CONFLICT", "CONFLICT", "done"]);
    expect([await countOf(one.id), await countOf(two.id)]).toEqual([1, 2]);
  }
});

test("a merge concurrent with changes of the merged account loses no licence and leaves none open there", async () => {
  for (let round = 0; round < ROUNDS.of5; round++) {
    const [kept, merged] = [await createUser(app), await createUser(app)];
    const licence = await createLicence(app, merged);
    const terms = {
      productLevel: 2,
      licenceType: 1,
      licenceCategory: 1,
      licenceActivationType: 0,
      numberOfUsers: 1,
      numberOfMachines: 1,
      limitFloatingLeasePeriodToHours: 0,
      floatingHeartBeatIntervalMinutes: 15,
      allowOnVms: false,
      expiryDate: addMilliseconds(app.clock.now(), 30 * DAY),
      projectTerm: "",
      purchaseOrderNumber: "",
    };
    const seats = { numberOfUsers: 1, numberOfMachines: 3, allowOnVms: false };
    const results = await Promise.all([
      settle(() => addLicence(anyProcess(), merged.id, terms as never)),
      settle(() => mergeAccounts(anyProcess(), kept.id, merged.id)),
      settle(() => changeSeats(anyProcess(), merged.id, licence.id, seats)),
      settle(() => addLicence(anyProcess(), merged.id, terms as never)),
    ]);
    const [first, merge, changed, second] = results;
    expect(merge).toBe("done");
    // What came too late is refused, and what came in time moved.
    for (const added of [first, second]) expect(["done", "CONFLICT"]).toContain(added);
    expect(["done", "NOT_FOUND"]).toContain(changed);
    const inTime = [first, second].filter((result) => result === "done").length;
    expect([await countOf(kept.id), await countOf(merged.id)]).toEqual([1 + inTime, 0]);
  }
});

test("a merge and the archiving of one of the accounts end in one of their two orders", async () => {
  for (let round = 0; round < ROUNDS.of2; round++) {
    const [kept, merged] = [await createUser(app), await createUser(app)];
    const licence = await createLicence(app, merged);
    const [merge, archived] = await Promise.all([
      settle(() => mergeAccounts(anyProcess(), kept.id, merged.id)),
      settle(() => archiveUser(anyProcess(), merged.id)),
    ]);
    expect(archived).toBe("done");
    const { rows } = await app.services.pool.query("select user_id, suspended_at from licences where id = $1", [
      licence.id,
    ]);
    if (merge === "done") expect(rows).toEqual([{ user_id: kept.id, suspended_at: null }]);
    else expect([merge, rows]).toEqual(["CONFLICT", [{ user_id: merged.id, suspended_at: expect.any(String) }]]);
  }
});
