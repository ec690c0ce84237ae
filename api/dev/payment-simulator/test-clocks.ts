import { processDue } from "./sweep.ts";
import { invalid } from "./errors.ts";
import { createId } from "./identifiers.ts";
import { DAY_SECONDS } from "./dates.ts";
import type { TestClock } from "./provider-objects.ts";
import { required, text, integer } from "./parameters.ts";
import { defineListRoute, defineGetRoute, defineRoute } from "./routes.ts";

const PATH = "/v1/test_helpers/test_clocks";

/** Routes for test clocks. A customer with a test clock uses its time. */
export const testClockRoutes = [
  defineRoute("POST", PATH, { frozen_time: required(integer), name: text }, async (tx, { params }) => {
    const created = await tx.now();
    const clock = tx.save<TestClock>({
      id: createId("clock"),
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
  defineGetRoute(PATH, "test_helpers.test_clock"),
  defineListRoute(PATH, "test_helpers.test_clock", {}),
  defineRoute("POST", `${PATH}/:id/advance`, { frozen_time: required(integer) }, async (tx, { id, params }) => {
    const clock = await tx.get("test_helpers.test_clock", id);
    if (params.frozen_time <= clock.frozen_time)
      throw invalid("The new frozen time must be after the current one.", "frozen_time");
    await processDue(tx, params.frozen_time, { clock: id });
    clock.frozen_time = params.frozen_time;
    await tx.emit("test_helpers.test_clock.ready", tx.save(clock));
    return clock;
  }),
  defineRoute("DELETE", `${PATH}/:id`, {}, async (tx, { id }) => {
    const clock = await tx.get("test_helpers.test_clock", id);
    await tx.emit("test_helpers.test_clock.deleted", clock);
    for (const customer of await tx.findAll("customer", { where: { test_clock: id } })) {
      for (const name of ["subscription", "subscription_schedule", "invoice"] as const)
        for (const object of await tx.findAll(name, { customer: customer.id })) {
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
