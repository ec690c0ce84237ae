import { DAY } from "#api/platform/clock.ts";
import { MoveCode } from "./move-code.entity.ts";
import { createBatchStatement, type PersonalData } from "#api/platform/database/personal-data.ts";

const ownLicences = "select id from licences where user_id = :user";

export const moveCodeData: PersonalData = {
  tables: {
    move_codes: { deleted: "move-codes" },
  },
  retention: [{ table: "move_codes", endedAt: "expires_at", keptMs: DAY }],
  erasure: [
    {
      name: "move-codes",
      title: "Move codes",
      effect: "deleted",
      table: "move_codes",
      run: createBatchStatement(`delete from move_codes where id in (
        select id from move_codes where licence_id in (${ownLicences}) limit :limit)`),
    },
  ],
  exported: {
    async moveCodes({ em }, user) {
      const codes = await em.find(MoveCode, { licence: { user: user.id } }, { orderBy: { createdAt: "desc" } });
      return codes.map(({ licence, createdAt, expiresAt }) => ({
        licenceId: licence.id,
        sentAt: createdAt,
        expiresAt,
      }));
    },
  },
};
