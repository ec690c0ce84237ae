/** Message of a worker that serves calls, to the process that started it. */
export const SERVING = "serving";

/** Message to a worker that another one has replaced. */
export const REPLACED = "replaced";

/**
 * Phase of a process. It receives traffic only while it is serving. A leaving process ends as a draining one does, but
 * stays ready, because its replacement answers on the same port.
 */
export type Phase = "starting" | "serving" | "draining" | "leaving";

/** The phase of a process, which `/health/ready` reports. */
export interface Lifecycle {
  readonly phase: Phase;
  /** True once the process has been serving, also while it drains. */
  readonly hasStarted: boolean;
  /** Starts serving calls. Has no effect on a process that is already draining. */
  serve(): void;
  /** Stops being ready. Calls are still served. */
  drain(): void;
  /** Ends like {@link Lifecycle.drain}, but stays ready. */
  leave(): void;
}

/** Creates the lifecycle of a process that is starting. */
export function createLifecycle(): Lifecycle {
  let phase: Phase = "starting";
  let hasStarted = false;
  return {
    get phase() {
      return phase;
    },
    get hasStarted() {
      return hasStarted;
    },
    serve() {
      if (phase !== "starting") return;
      phase = "serving";
      hasStarted = true;
    },
    drain() {
      phase = "draining";
    },
    leave() {
      phase = "leaving";
    },
  };
}
