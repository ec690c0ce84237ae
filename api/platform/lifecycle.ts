/** Phase of a process. It receives traffic only while it is serving. */
export type Phase = "starting" | "serving" | "draining";

/** The phase of a process, which `/health/ready` reports. */
export interface Lifecycle {
  readonly phase: Phase;
  /** True once the process has been serving, also while it drains. */
  readonly hasStarted: boolean;
  /** Starts serving calls. Has no effect on a process that is already draining. */
  serve(): void;
  /** Stops being ready. Calls are still served. */
  drain(): void;
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
  };
}
