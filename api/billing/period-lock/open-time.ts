import { formatDay } from "#schema/dates.ts";
import { addDays, getCalendarDay, getStartOfDay } from "#schema/days.ts";
import { type EntityManager, query } from "#api/platform/database/database.ts";
import { badInput } from "#api/platform/errors.ts";

/** Returns the first open day, `YYYY-MM-DD`; null if no day is locked. Locking a month waits for the transaction of `em`. */
async function findFirstOpenDay(em: EntityManager): Promise<string | null> {
  const read = () =>
    query<{ lockedThrough: string | null }>(
      em,
      `select locked_through::text as "lockedThrough" from period_locks where id = 1 for share`,
      [],
    );
  let [lock] = await read();
  if (!lock) {
    await createPeriodLock(em);
    [lock] = await read();
  }
  return lock?.lockedThrough ? addDays(lock.lockedThrough, 1) : null;
}

/** Creates the row that transactions lock, unless it exists. */
export async function createPeriodLock(em: EntityManager): Promise<void> {
  await query(em, "insert into period_locks (id) values (1) on conflict do nothing", []);
}

/**
 * Returns the time at which a fact is dated in the accounts (docs/domain.md#period-lock, decision 0140): its own, or the
 * start of the first open day if its month is locked. Everything that the payment provider reports is dated with it.
 */
export async function toOpenTime(em: EntityManager, at: Date): Promise<Date> {
  const firstOpenDay = await findFirstOpenDay(em);
  const start = firstOpenDay ? getStartOfDay(firstOpenDay) : at;
  return at < start ? start : at;
}

/**
 * Checks a day that staff chose for money.
 * @throws AppError BAD_USER_INPUT for `field` if its month is locked.
 */
export async function assertOpenDay(em: EntityManager, day: string, field: string): Promise<void> {
  const firstOpenDay = await findFirstOpenDay(em);
  if (firstOpenDay && day < firstOpenDay)
    throw badInput({
      [field]: [
        `The accounts are locked through ${formatDay(addDays(firstOpenDay, -1))}. Enter a later day, or ask for the month to be reopened.`,
      ],
    });
}

/** Returns the day on which a fact of a time is dated, as {@link toOpenTime} does. */
export const toOpenDay = async (em: EntityManager, at: Date): Promise<string> =>
  getCalendarDay(await toOpenTime(em, at));
