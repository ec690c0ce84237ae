const last = new WeakMap<object, Promise<unknown>>();

/** Does work after all that was given for the same `place` before, in this process, whether that went well or not. */
export function inTurn<Result>(place: object, work: () => Promise<Result>): Promise<Result> {
  const mine = (last.get(place) ?? Promise.resolve()).then(work, work);
  last.set(
    place,
    mine.catch(() => {}),
  );
  return mine;
}
