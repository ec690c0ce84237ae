import { processNextDue } from "./sweep.ts";
import { invalid } from "./errors.ts";
import { newId } from "./identifiers.ts";
import { DAY_SECONDS } from "./dates.ts";
import type { TestClock } from "./provider-objects.ts";
import { required, text, whole } from "./parameters.ts";
import { listing, retrieval, route } from "./routes.ts";

const PATH = "/v1/test_helpers/test_clocks";

/** Calls about test clocks: customers that hang on one live in its time. */
export const testClockRoutes = [
  route("POST", PATH, { frozen_time: required(whole), name: text }, async (tx, { params }) => {
    const created = await tx.now();
    const clock = tx.save<TestClock>({
      id: newId("clock"),
      object: "test_helpers.test_clock",
      created,
      livemode: false,
      deletes_after: created + 30 * DAY_SECONDS,
      frozen_time: params.frozen_time,
      name: params.name ?? null,
      status: "ready",
    });
    await tx.emit("test_helpers.test_clock.created", clock);
    return clock;
  }),
  retrieval(PATH, "test_helpers.test_clock"),
  listing(PATH, "test_helpers.test_clock", {}),
  route("POST", `${PATH}/:id/advance`, { frozen_time: required(whole) }, async (tx, { id, params }) => {
    const clock = await tx.get("test_helpers.test_clock", id);
    if (params.frozen_time <= clock.frozen_time)
      throw invalid("The new frozen time must be after the present one.", "frozen_time");
    while (await processNextDue(tx, params.frozen_time, id));
    clock.frozen_time = params.frozen_time;
    await tx.emit("test_helpers.test_clock.ready", tx.save(clock));
    return clock;
  }),
  route("DELETE", `${PATH}/:id`, {}, async (tx, { id }) => {
    const clock = await tx.get("test_helpers.test_clock", id);
    await tx.emit("test_helpers.test_clock.deleted", clock);
    for (const customer of await tx.all("customer", { where: { test_clock: id } })) {
      for (const name of ["subscription", "subscription_schedule", "invoice"] as const)
        for (const object of await tx.all(name, { customer: customer.id })) {
          object.deleted = true;
          tx.save(object);
        }
      customer.deleted = true;
      tx.save(customer);
    }
    clock.deleted = true;
    tx.save(clock);
    return { id, object: "test_helpers.test_clock", deleted: true };
  }),
];
