import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";

/** The second step of a sign-in. Loads when it is needed. */
export const SecondStep = lazyPart(
  () => import("./second-step.tsx"),
  "message",
  <LoadingBlock label="Loading two-step sign-in" />,
);
